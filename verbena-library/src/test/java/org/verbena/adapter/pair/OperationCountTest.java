package org.verbena.adapter.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.SmallHypervisor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.Quiescence;
import org.verbena.queue.LocalSegments;
import org.verbena.time.Seed;

/** Segments of a request are counted in all or none, and counted out as the slot remembers them. */
final class OperationCountTest {
    private static final int AT = 32;

    private final ProtectionTable table = new ProtectionTable(16, new Seed(1));
    private final ProtectionDomain domain = table.createDomain();
    private final Hypervisor hypervisor = SmallHypervisor.open();
    private final Region plain =
            table.register(domain, hypervisor.host().allocateWired(4096), 0, EnumSet.allOf(Right.class));
    private final MemorySegment ring = Arena.ofAuto().allocate(AT + 64 * LocalSegments.LENGTH, 8);
    private final OperationCount count = new OperationCount(table, domain);

    private Region counted(ProtectionDomain owner) {
        return table.register(
                owner,
                hypervisor.host().allocateWired(4096),
                0,
                EnumSet.allOf(Right.class),
                CurrentIoOptions.of(CurrentIo.Mode.LIBRARY));
    }

    private int write(List<Region> regions) {
        for (int i = 0; i < regions.size(); i++) {
            long at = AT + (long) i * LocalSegments.LENGTH;
            LocalSegments.write(ring, at, 0, 8, regions.get(i).key());
        }
        return regions.size();
    }

    private static long operations(Region region) {
        return region.currentIo().operations();
    }

    @Test
    void theSegmentsInCountedRegionsHaveABitEach() {
        Region first = counted(domain);
        Region second = counted(domain);
        int bits = count.begin(ring, AT, write(List.of(first, plain, second, first)), 0);
        assertEquals(0b1101, bits);
        assertEquals(2, operations(first));
        assertEquals(1, operations(second));
        count.end(ring, AT, 4, bits);
        assertEquals(0, operations(first));
        assertEquals(0, operations(second));
    }

    @Test
    void aRegionThatIsQuiescingRefusesAllSegments() {
        Region first = counted(domain);
        Region second = counted(domain);
        assertTrue(Quiescence.request(second));
        int segments = write(List.of(first, first, second, first));
        assertThrows(QuiescingException.class, () -> count.begin(ring, AT, segments, 0));
        assertEquals(0, operations(first));
    }

    @Test
    void forgedBitsBeyondTheSlotAreIgnored() {
        Region region = counted(domain);
        int bits = count.begin(ring, AT, write(List.of(region, region, region)), 0);
        assertEquals(0b111, bits);
        count.end(ring, AT, 2, -1);
        assertEquals(1, operations(region));
        SegmentList taken = SegmentList.within(LocalSegments.LENGTH);
        taken.load(ring, AT, 3);
        count.begin(ring, AT, 2, 0);
        assertEquals(3, operations(region));
        count.end(taken, -1);
        assertEquals(2, operations(region));
    }

    @Test
    void everyOneOf32SegmentsIsCounted() {
        Region region = counted(domain);
        int bits = count.begin(ring, AT, write(Collections.nCopies(32, region)), 0);
        assertEquals(-1, bits);
        assertEquals(32, operations(region));
        SegmentList taken = SegmentList.within(32 * LocalSegments.LENGTH);
        taken.load(ring, AT, 32);
        count.end(taken, bits);
        assertEquals(0, operations(region));
        count.begin(ring, AT, 32, 0);
        count.end(ring, AT, 64, bits);
        assertEquals(0, operations(region));
    }

    @Test
    void aListThatWasTakenCountsEachOfItsRegionsOut() {
        Region first = counted(domain);
        Region second = counted(domain);
        int bits = count.begin(ring, AT, write(List.of(first, plain, second)), 0);
        SegmentList taken = SegmentList.within(4 * LocalSegments.LENGTH);
        taken.load(ring, AT, 3);
        count.end(taken, bits);
        assertEquals(0, operations(first));
        assertEquals(0, operations(second));
    }

    @Test
    void regionsOfOtherDomainsCountOnlyWhereTheDomainIsNotKnown() {
        Region other = counted(table.createDomain());
        int segments = write(List.of(other));
        assertEquals(0, count.begin(ring, AT, segments, 0));
        var shared = new OperationCount(table, null);
        assertEquals(1, shared.begin(ring, AT, segments, 0));
        count.end(ring, AT, segments, 1);
        assertEquals(1, operations(other));
        shared.end(ring, AT, segments, 1);
        assertEquals(0, operations(other));
    }

    @Test
    void withoutACountedRegionNothingIsLookedAt() {
        assertEquals(0, count.begin(MemorySegment.NULL, AT, 4, 0));
    }

    @Test
    void segmentsThatAnotherProcessCountedInItsWordAreCountedOutByTheBitsOfItsSlot() {
        MemorySegment word = Arena.ofAuto().allocate(8, 8);
        CurrentIoOptions options = CurrentIoOptions.of(CurrentIo.Mode.LIBRARY).withWord(word);
        Region region =
                table.register(domain, hypervisor.host().allocateWired(4096), 0, EnumSet.allOf(Right.class), options);
        write(List.of(region, plain, region));
        word.set(ValueLayout.JAVA_LONG, 0, 2); // as the other process has begun them
        count.end(ring, AT, 3, 0b101);
        assertEquals(0, word.get(ValueLayout.JAVA_LONG, 0));
        count.end(ring, AT, 3, 0b111); // forged
        assertEquals(0, word.get(ValueLayout.JAVA_LONG, 0));
    }
}
