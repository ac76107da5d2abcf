package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;

/** Accesses allocate nothing, granted or refused. */
final class AllocationTest {
    private static final int ROUNDS = 100_000;
    private static final long SLACK = 64 * 1024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final MachineMemory machine = new MachineMemory(1 << 20);
    private final MemorySegment packet = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(8192));
    private final Region foreign = table.register(domain, Arena.ofAuto().allocate(65536, 8), Tables.ALL);
    private final MemorySegment pages = Arena.ofAuto().allocate(65536, 4096);
    /** The accessed bytes are its second segment. */
    private final Region scattered =
            table.register(domain, List.of(pages.asSlice(4096), pages.asSlice(0, 4096), pages), 0, Tables.ALL);

    private final Region managed = table.register(domain, machine.allocate(100_000), 0, Tables.ALL);
    private final Accessor writer = Accessor.remote(domain, 1, Right.REMOTE_WRITE);
    private final Accessor reader = Accessor.local(domain, 1, Right.LOCAL_READ);
    private final Accessor atomic = Accessor.remote(domain, 1, Right.REMOTE_ATOMIC);
    private final AtomicResult result = new AtomicResult();
    private final AtomicOperands operands = new AtomicOperands();

    private void allocatesNothing(Runnable access) {
        for (int i = 0; i < ROUNDS; i++) {
            access.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++) {
            access.run();
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < SLACK, allocated + " bytes in " + ROUNDS + " rounds");
    }

    private void accesses(Region region, int key) {
        long at = region.address() + 61_440;
        Verdict first = table.judge(writer, key, at, 4096);
        assertEquals(first, table.place(writer, key, at, packet, 3, 4096));
        assertEquals(first, table.gather(reader, key, at, packet, 4096, 4096));
        assertEquals(first, table.fetchAdd(atomic, key, at, 1, result));
        assertEquals(
                first, table.compareSwap(atomic, key, at, operands.compare(1).swap(2), result));
    }

    @Test
    void grantedAccesses() {
        allocatesNothing(() -> accesses(foreign, foreign.key()));
        allocatesNothing(() -> accesses(managed, managed.key()));
        allocatesNothing(() -> accesses(scattered, scattered.key()));
    }

    @Test
    void refusedAccesses() {
        allocatesNothing(() -> accesses(foreign, MemoryKey.next(foreign.key())));
        allocatesNothing(() -> accesses(foreign, -1));
    }

    @Test
    void accessesThroughAWindow() {
        Window window = table.createWindow(domain, Window.Type.TYPE_1);
        Accessor binder = Accessor.local(domain, 1, Right.BIND_WINDOW);
        Binding binding = new Binding(
                MemoryKey.next(window.key()), foreign.key(), foreign.address(), 65536, Set.of(Right.REMOTE_WRITE));
        assertEquals(Verdict.GRANTED, table.bind(binder, window.key(), binding));
        int key = window.key();
        allocatesNothing(() -> {
            Verdict verdict = table.place(writer, key, foreign.address() + 5, packet, 0, 1000);
            assertEquals(Verdict.GRANTED, verdict);
        });
    }
}
