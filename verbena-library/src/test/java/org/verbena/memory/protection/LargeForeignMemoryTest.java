package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.PageSize;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.machine.AnonymousMapping;
import org.verbena.memory.translation.TranslationTable;

/** More than 4 GiB, of which only a few pages are ever touched. */
final class LargeForeignMemoryTest {
    private static final long SIZE = (6L << 30) + 12345;

    @Test
    void offsetsBeyondFourGibibytesAreReached() {
        assumeTrue(
                System.getProperty("os.name", "").startsWith("Linux"),
                "memory without real pages is reserved on Linux only");
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = AnonymousMapping.map(arena, SIZE);
            ProtectionTable table = Tables.table();
            ProtectionDomain domain = table.createDomain();
            Accessor writer = Accessor.remote(domain, 1, Right.REMOTE_WRITE);
            Accessor reader = Accessor.remote(domain, 1, Right.REMOTE_READ);
            MemorySegment packet = arena.allocate(16, 8);
            try (TableRegion region = table.register(domain, memory, Tables.ALL)) {
                assertEquals(PageSize.MIB_256, region.translation().pageSize());
                assertEquals(TranslationTable.Order.DIRECT, region.translation().order());
                for (long offset : new long[] {0, (1L << 31) - 4, (1L << 32) - 4, 5L << 30, SIZE - 8}) {
                    packet.set(ValueLayout.JAVA_LONG, 0, offset ^ 4711);
                    long at = region.address() + offset;
                    assertEquals(Verdict.GRANTED, table.place(writer, region.key(), at, packet, 0, 8));
                    assertEquals(offset ^ 4711, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
                    assertEquals(Verdict.GRANTED, table.gather(reader, region.key(), at, packet, 8, 8));
                    assertEquals(offset ^ 4711, packet.get(ValueLayout.JAVA_LONG, 8));
                }
                assertEquals(Verdict.GRANTED, table.judge(reader, region.key(), region.address(), SIZE));
                assertEquals(Verdict.OUT_OF_BOUNDS, table.judge(reader, region.key(), region.address(), SIZE + 1));
                assertEquals(Verdict.OUT_OF_BOUNDS, table.judge(reader, region.key(), region.address() + SIZE - 7, 8));
            }
            TableRegion part = table.register(domain, memory.asSlice(5L << 30, 4096), Set.of());
            assertEquals(1, part.translation().pages());
            part.close();
        }
    }
}
