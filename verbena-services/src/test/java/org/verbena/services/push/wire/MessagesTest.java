package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.time.Seed;

/** Which bytes are a message, and that reading one gives what was written. A segment ends where its message ends, so that a read outside it throws. */
final class MessagesTest {
    private static final int VERSION = 1;
    private static final int MANY = 20_000;

    private final Seed seed = new Seed(13);
    private final Samples samples = new Samples(seed.fork("samples"));

    private static @Nullable Refusal judge(byte[] message) {
        return Messages.judge(MemorySegment.ofArray(message), 0, message.length, VERSION);
    }

    /** Function, version 1, context 0, and a body of 32-bit fields. */
    private static byte[] message(int function, int... body) {
        ByteBuffer bytes = ByteBuffer.allocate(12 + 4 * body.length);
        bytes.putShort((short) function).putShort((short) VERSION).putLong(0);
        for (int field : body) {
            bytes.putInt(field);
        }
        return bytes.array();
    }

    @Test
    void everyMessageIsWrittenReadAndWrittenAgainTheSame() {
        for (int i = 0; i < MANY; i++) {
            byte[] message = samples.message(40);
            assertNull(judge(message));
            assertArrayEquals(message, Rewriting.copy(MemorySegment.ofArray(message), 0, message.length));
        }
    }

    @Test
    void aMessageAnywhereInMemoryIsReadTheSame() {
        for (int i = 0; i < MANY; i++) {
            byte[] message = samples.message(10);
            int before = seed.nextInt(70);
            byte[] memory = new byte[before + message.length + seed.nextInt(70)];
            Arrays.fill(memory, (byte) seed.nextInt());
            System.arraycopy(message, 0, memory, before, message.length);
            byte[] unchanged = memory.clone();
            MemorySegment segment = MemorySegment.ofArray(memory);
            assertNull(Messages.judge(segment, before, message.length, VERSION));
            assertArrayEquals(message, Rewriting.copy(segment, before, message.length));
            assertArrayEquals(unchanged, memory);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyTruncationOfAMessageIsRefused(MessageFunction function) {
        byte[] message = samples.message(function, 1);
        for (int length = 0; length < message.length; length++) {
            Refusal refusal = judge(Arrays.copyOf(message, length));
            assertNotNull(refusal, "cut to " + length);
            assertEquals(length < 12, refusal == Refusal.TOO_SHORT, "cut to " + length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyExtensionOfAMessageIsRefused(MessageFunction function) {
        byte[] message = samples.message(function, 1);
        int part = switch (function) {
            case BUFFER_RECV_POOL -> 32;
            case BUFFER_POOL_FLUSH_REQUEST -> 4;
            case BUFFER_RDMA_INDICATE -> 12;
            default -> Integer.MAX_VALUE;
        };
        for (int more = 1; more < 200; more++) {
            Refusal refusal = judge(Arrays.copyOf(message, message.length + more));
            assertEquals(more % part == 0, refusal == null, more + " bytes more");
        }
    }

    @Test
    void aMessageOfPartsHasOneOrMoreAndNothingBehind() {
        for (int length = 12; length < 400; length++) {
            int body = length - 12;
            assertEquals(body > 0 && body % 32 == 0, judge(Arrays.copyOf(message(1), length)) == null);
            assertEquals(body > 0 && body % 4 == 0, judge(Arrays.copyOf(message(4), length)) == null);
            assertEquals(body > 0 && body % 12 == 0, judge(Arrays.copyOf(message(7), length)) == null);
        }
    }

    @Test
    void onlyNineFunctionsAreKnown() {
        byte[] message = message(0);
        for (int function = 0; function < 1 << 16; function++) {
            ByteBuffer.wrap(message).putShort(0, (short) function);
            boolean known = function >= 1 && function <= 9;
            assertEquals(!known, judge(message) == Refusal.UNKNOWN_FUNCTION, "function " + function);
            MessageFunction named = MessageFunction.of(function);
            assertEquals(known, named != null);
            assertEquals(known ? function : 0, named == null ? 0 : named.code());
        }
    }

    @Test
    void anotherVersionIsRefusedWhateverTheFunction() {
        byte[] message = message(5);
        for (int version = 0; version < 1 << 16; version++) {
            ByteBuffer.wrap(message).putShort(2, (short) version);
            assertEquals(version == VERSION ? null : Refusal.WRONG_VERSION, judge(message));
        }
        ByteBuffer.wrap(message).putShort(0, (short) 10);
        assertEquals(Refusal.WRONG_VERSION, judge(message));
        assertEquals(
                Refusal.UNKNOWN_FUNCTION,
                Messages.judge(MemorySegment.ofArray(message), 0, message.length, 0xffff),
                "the version that was agreed counts");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5, -4, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE + 4, 1 << 30})
    void aSizeThatIsNotThatOfTheDataIsRefused(int size) {
        assertEquals(Refusal.BAD_LENGTH, judge(message(6, size, 0)));
        assertEquals(Refusal.BAD_LENGTH, judge(message(8, 0, size, 0)));
        assertEquals(Refusal.BAD_LENGTH, judge(message(9, 0, size, 0)));
    }

    @Test
    void dataMayHaveNoBytes() {
        assertNull(judge(message(6, 0)));
        assertNull(judge(message(8, 0, 0)));
        assertNull(judge(message(9, 0, 0)));
    }

    @ParameterizedTest
    @CsvSource({"0", "3", "-1", "0x40000000", "0x40000001", "0x40000002", "0x80000000", "0x7fffffff"})
    void aPartOfAnUpdateThatCountsWhatIsNotThereIsRefused(String count) {
        int found = Long.decode(count).intValue();
        assertEquals(Refusal.BAD_COUNT, judge(message(3, 7, found, 5, 6)), "the only part");
        assertEquals(Refusal.BAD_COUNT, judge(message(3, 7, 1, 5, 8, found, 5, 6)), "the second part");
    }

    @Test
    void anUpdateWithoutAPartOrWithARestIsRefused() {
        assertEquals(Refusal.BAD_LENGTH, judge(message(3)));
        assertEquals(Refusal.BAD_LENGTH, judge(message(3, 7)));
        assertEquals(Refusal.BAD_LENGTH, judge(message(3, 7, 1, 5, 8)));
        assertNull(judge(message(3, 7, 1, 5, 8, 1, 0)));
        for (int rest = 1; rest < 4; rest++) {
            byte[] message = message(3, 7, 1, 5);
            assertEquals(Refusal.BAD_LENGTH, judge(Arrays.copyOf(message, message.length + rest)));
        }
    }

    @Test
    void anyBytesAreRefusedOrReadBackTheSame() {
        int accepted = 0;
        for (int i = 0; i < 10 * MANY; i++) {
            byte[] bytes = new byte[seed.nextInt(60)];
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = (byte) (seed.nextBoolean() ? seed.nextInt(12) : 0);
            }
            if (bytes.length >= 4) {
                ByteBuffer.wrap(bytes).putShort((short) seed.nextInt(12)).putShort((short) VERSION);
            }
            if (judge(bytes) == null) {
                accepted++;
                assertArrayEquals(bytes, Rewriting.copy(MemorySegment.ofArray(bytes), 0, bytes.length));
            }
        }
        assertTrue(accepted > 1000, accepted + " accepted");
    }

    @Test
    void aNegativeLengthIsTooShort() {
        assertEquals(Refusal.TOO_SHORT, Messages.judge(MemorySegment.ofArray(new byte[0]), 0, -1, VERSION));
    }

    @Test
    void anExplanationHasTheBytesFoundAndExpected() {
        assertEquals("shorter than a header or a hello: found 5 bytes, expected 12 or more", explain(new byte[5]));
        assertEquals(
                "BufferPoolFlushReply: longer or shorter than its function and fields say: found 16 bytes, expected 12",
                explain(message(5, 0)));
        assertEquals(
                "SendData: longer or shorter than its function and fields say: found 20 bytes, expected 16 + 4294967295 as its size says",
                explain(message(6, -1, 0)));
        assertEquals(
                "CfgUtilRequest: longer or shorter than its function and fields say: found 16 bytes, expected 20 or more",
                explain(message(8, 1)));
        assertEquals(
                "BufferRDMAIndicate: longer or shorter than its function and fields say: found 20 bytes, expected 12 + 12 × k, k at least 1",
                explain(message(7, 1, 2)));
        assertEquals(
                "BufferRecvPoolUpdate: a part counts no elements, or more than the message has: found 24 bytes, expected 12 and parts of 8 + 4 ×"
                        + " count, at least one, each with a count of at least 1",
                explain(message(3, 7, 0, 5)));
        assertEquals("function 77: unknown function: expected 1 … 9", explain(message(77)));
        byte[] other = message(5);
        other[3] = 2;
        assertEquals(
                "BufferPoolFlushReply: another version than the one that was agreed: found 2, expected 1",
                explain(other));
    }

    private static String explain(byte[] message) {
        Refusal refusal = judge(message);
        assertNotNull(refusal);
        return Messages.explain(refusal, MemorySegment.ofArray(message), 0, message.length, VERSION);
    }

    @Test
    void everyRefusalHasACounterOfItsOwnAndAReason() {
        long labels = Arrays.stream(Refusal.values())
                .map(Refusal::label)
                .filter(label -> label.matches("refused_[a-z_]+"))
                .distinct()
                .count();
        assertEquals(Refusal.values().length, labels);
        for (Refusal refusal : Refusal.values()) {
            assertEquals("refused_" + refusal.name().toLowerCase(Locale.ROOT), refusal.label());
            assertEquals("Messages refused: " + refusal.reason(), refusal.text().help());
        }
    }
}
