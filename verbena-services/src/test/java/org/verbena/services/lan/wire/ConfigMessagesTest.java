package org.verbena.services.lan.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** The bytes here are those of the reference page lan-configuration.md. */
final class ConfigMessagesTest {
    private final MemorySegment memory = MemorySegment.ofArray(new byte[8192]);

    private String hex(int length) {
        return HexFormat.of().formatHex(memory.asSlice(3, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void anAttachRequestHasTheseBytes() {
        AttachRequest request = new AttachRequest(true, 9216, 0x0200_0000_000aL, 0x0123_4567_89ab_cdefL, "kiwi");
        int length = request.write(memory, 3);
        assertEquals("0001" + "0001" + "2400" + "02000000000a" + "0123456789abcdef" + "0004" + "6b697769", hex(length));
        assertEquals(request, AttachRequest.read(memory, 3, length));
        assertRefusedAtOtherLengths(length, other -> AttachRequest.read(memory, 3, other) == null ? 1 : 0);
    }

    @Test
    void anAttachReplyHasTheseBytes() {
        AttachReply reply = new AttachReply(false, true, 1500, 0x0200_0000_000bL, "unit");
        int length = reply.write(memory, 3);
        assertEquals("0001" + "0002" + "05dc" + "02000000000b" + "0004" + "756e6974", hex(length));
        assertEquals(reply, AttachReply.read(memory, 3, length));
        assertRefusedAtOtherLengths(length, other -> AttachReply.read(memory, 3, other) == null ? 1 : 0);
    }

    private static void assertRefusedAtOtherLengths(int length, IntUnaryOperator refused) {
        for (int other = 0; other < length + 5; other++) {
            assertEquals(other == length ? 0 : 1, refused.applyAsInt(other), "length " + other);
        }
    }

    @Test
    void anotherVersionAndUnknownFlagsAreRefused() {
        int length = new AttachRequest(true, 1500, 0, 1, "").write(memory, 3);
        memory.set(ValueLayout.JAVA_BYTE, 4, (byte) 2);
        assertNull(AttachRequest.read(memory, 3, length));
        memory.set(ValueLayout.JAVA_BYTE, 4, (byte) 1);
        assertNotNull(AttachRequest.read(memory, 3, length));
        memory.set(ValueLayout.JAVA_BYTE, 6, (byte) 4);
        assertNull(AttachRequest.read(memory, 3, length));
    }

    @Test
    void aLongNameIsCutBehindAWholeCharacter() {
        String name = "x".repeat(AttachRequest.NAME_BYTES_MAX - 1) + "é";
        int length = new AttachRequest(false, 1500, 0, 1, name).write(memory, 3);
        AttachRequest read = AttachRequest.read(memory, 3, length);
        assertNotNull(read);
        assertEquals(name.substring(0, AttachRequest.NAME_BYTES_MAX - 1), read.name());
    }

    @Test
    void aFilterHasTheseBytes() {
        FilterRequest filter = FilterRequest.of(
                true, false, true, new long[] {0x0100_5e00_0001L, 0x3333_0000_0001L}, new int[] {0, 100});
        int length = filter.write(memory, 3);
        assertEquals(
                "0005" + "0002" + "0002" + "0000" + "01005e000001" + "333300000001" + "0000" + "0064", hex(length));
        FilterRequest read = FilterRequest.read(memory, 3, length);
        assertNotNull(read);
        assertTrue(read.promiscuous() && !read.allMulticast() && read.broadcast());
        assertArrayEquals(filter.groups(), read.groups());
        assertArrayEquals(filter.vlans(), read.vlans());
        assertRefusedAtOtherLengths(length, other -> FilterRequest.read(memory, 3, other) == null ? 1 : 0);
    }

    @Test
    void aFilterWithAnAddressOfNoGroupOrAnImpossibleVlanIsRefused() {
        assertNull(read(FilterRequest.of(false, false, true, new long[] {0x0200_0000_000aL}, new int[0])));
        assertNull(read(FilterRequest.of(false, false, true, new long[0], new int[] {4095})));
        assertNotNull(read(FilterRequest.of(false, false, true, new long[0], new int[] {4094})));
        assertNotNull(read(FilterRequest.of(false, false, true, new long[0], new int[FilterRequest.VLANS_MAX])));
        assertNull(read(FilterRequest.of(false, false, true, new long[0], new int[FilterRequest.VLANS_MAX + 1])));
    }

    private @Nullable FilterRequest read(FilterRequest filter) {
        return FilterRequest.read(memory, 3, filter.write(memory, 3));
    }

    @Test
    void singleFieldsHaveTheseBytes() {
        assertEquals(6, ConfigFields.writeAddress(memory, 3, 0x0a0b_0c0d_0e0fL));
        assertEquals("0a0b0c0d0e0f", hex(6));
        assertEquals(0x0a0b_0c0d_0e0fL, ConfigFields.readAddress(memory, 3, 6));
        assertEquals(ConfigFields.MALFORMED, ConfigFields.readAddress(memory, 3, 5));
        assertEquals(ConfigFields.MALFORMED, ConfigFields.readAddress(memory, 3, 7));
        assertEquals(2, ConfigFields.writeNumber(memory, 3, 9216));
        assertEquals("2400", hex(2));
        assertEquals(9216, ConfigFields.readNumber(memory, 3, 2));
        assertEquals(ConfigFields.MALFORMED, ConfigFields.readNumber(memory, 3, 1));
        assertEquals(ConfigFields.MALFORMED, ConfigFields.readNumber(memory, 3, 3));
        assertEquals(5, ConfigFields.writeReason(memory, 3, 5, "too long"));
        assertEquals("too l", ConfigFields.readReason(memory, 3, 5));
    }

    @Test
    void aPageOfStatisticsHasTheseBytes() {
        StatisticsPage page = new StatisticsPage(7, 2, List.of(new StatisticsPage.Entry("ab", 258)));
        int length = page.write(memory, 3);
        assertEquals("0007" + "0002" + "0001" + "0000000000000102" + "02" + "6162", hex(length));
        assertEquals(page, StatisticsPage.read(memory, 3, length));
        assertRefusedAtOtherLengths(length, other -> StatisticsPage.read(memory, 3, other) == null ? 1 : 0);
    }

    @Test
    void pagesHoldAllStatisticsWithinTheirRoom() {
        List<StatisticsPage.Entry> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(new StatisticsPage.Entry("name_" + "x".repeat(i % 40), i * 3L));
        }
        List<StatisticsPage.Entry> got = new ArrayList<>();
        while (got.size() < all.size()) {
            StatisticsPage page = StatisticsPage.of(all, got.size(), 200);
            int length = page.write(memory, 3);
            assertTrue(length <= 200 && !page.entries().isEmpty());
            StatisticsPage read = StatisticsPage.read(memory, 3, length);
            assertNotNull(read);
            assertEquals(got.size(), read.first());
            got.addAll(read.entries());
        }
        assertEquals(all, got);
        assertEquals(0, StatisticsPage.of(all, 65535, 200).entries().size());
    }

    @Test
    void anyBytesAreReadWithoutAnException() {
        Seed seed = new Seed(3);
        byte[] bytes = new byte[300];
        for (int i = 0; i < 100_000; i++) {
            for (int j = 0; j < 40; j++) {
                bytes[j] = (byte) (seed.chance(0.5) ? 0 : seed.nextInt());
            }
            int length = seed.nextInt(bytes.length);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 3, bytes.length);
            AttachRequest.read(memory, 3, length);
            AttachReply.read(memory, 3, length);
            FilterRequest.read(memory, 3, length);
            StatisticsPage.read(memory, 3, length);
            ConfigFields.readReason(memory, 3, length);
        }
    }
}
