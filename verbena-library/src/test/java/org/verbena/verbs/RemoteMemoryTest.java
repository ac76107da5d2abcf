package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.Right;

/** The descriptor of remote memory, and its encoding byte by byte. */
final class RemoteMemoryTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "remote-memory.md");
    private static final RemoteMemory MEMORY = new RemoteMemory(
            0x0000_7f12_3456_7000L, 0x0001_a2b3, 65536, EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE));
    /** The example of the page. */
    private static final String BYTES = "01 03 56 52 00 01 a2 b3 00 00 7f 12 34 56 70 00 00 00 00 00 00 01 00 00";

    private static byte[] bytes() {
        return HexFormat.ofDelimiter(" ").parseHex(BYTES);
    }

    @Test
    void theBytesAreThoseOfThePage() throws IOException {
        assertArrayEquals(bytes(), MEMORY.encode());
        assertEquals(MEMORY, RemoteMemory.decode(bytes()));
        assumeTrue(Files.exists(PAGE), "no documentation beside the module: not in a checkout");
        assertTrue(Files.readString(PAGE).contains(BYTES));
    }

    @Test
    void everyDescriptorComesBack() {
        for (int mask = 0; mask < 64; mask++) {
            RemoteMemory all = new RemoteMemory(-mask, ~mask, mask, Right.ofMask(mask));
            assertEquals(all, RemoteMemory.decode(all.encode()));
            assertTrue(all.rights().stream().allMatch(Right::isRemote));
        }
        RemoteMemory bare = new RemoteMemory(1, 2);
        assertEquals(RemoteMemory.LENGTH_UNKNOWN, bare.length());
        assertEquals(Set.of(), bare.rights());
        assertEquals(bare, RemoteMemory.decode(bare.encode()));
    }

    @Test
    void theByteOrderOfTheBufferDoesNotMatter() {
        ByteBuffer buffer =
                ByteBuffer.allocate(30).order(ByteOrder.LITTLE_ENDIAN).position(3);
        MEMORY.encode(buffer);
        assertEquals(27, buffer.position());
        assertEquals(ByteOrder.LITTLE_ENDIAN, buffer.order());
        buffer.position(3);
        assertEquals(MEMORY, RemoteMemory.decode(buffer));
        assertEquals(27, buffer.position());
        assertThrows(BufferOverflowException.class, () -> MEMORY.encode(buffer));
        assertEquals(27, buffer.position());
    }

    private static String refusal(int at, int value) {
        byte[] wrong = bytes();
        wrong[at] = (byte) value;
        return assertThrows(IllegalArgumentException.class, () -> RemoteMemory.decode(wrong))
                .toString();
    }

    @Test
    void otherBytesAreRefusedWithTheReason() {
        assertTrue(refusal(0, 2).contains("version 2"));
        assertTrue(refusal(1, 8).contains("0x8"));
        assertTrue(refusal(2, 0).contains("0x52"));
        assertTrue(refusal(16, 0x80).contains("length"));
        assertThrows(IllegalArgumentException.class, () -> RemoteMemory.decode(new byte[23]));
        assertThrows(IllegalArgumentException.class, () -> RemoteMemory.decode(new byte[24]));
    }

    @Test
    void theRestHasTheRestOfTheLength() {
        assertEquals(new RemoteMemory(MEMORY.address() + 36, MEMORY.key(), 65500, MEMORY.rights()), MEMORY.plus(36));
        assertEquals(0, MEMORY.plus(65537).length());
        assertEquals(new RemoteMemory(11, 2), new RemoteMemory(1, 2).plus(10));
    }
}
