package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.swapping.ErrandThread;
import org.verbena.memory.swapping.Errands;
import org.verbena.memory.swapping.PagedMemory;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** A hypervisor in virtual time and a protection table; drivers of guests are called by hand. */
public final class GuestStand implements AutoCloseable {
    public static final int PAGE = Stage.PAGE;
    static final long MACHINE = 1 << 20;
    static final long PHYSICAL_MIN = GuestOptions.PHYSICAL_MIN;

    final Seed seed;
    final SimulatedPageStore store;
    final Hypervisor hypervisor;
    final ProtectionTable table = Tables.table();
    final ProtectionDomain domain = table.createDomain();
    final ArrayDeque<Runnable> calls = new ArrayDeque<>();
    final Arena arena = Arena.ofConfined();
    final MemorySegment wire = arena.allocate(4 * PAGE, 8);

    GuestStand(long seed) {
        this(seed, new ErrandThread());
    }

    GuestStand(long seed, Errands errands) {
        this.seed = new Seed(seed);
        this.store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, this.seed);
        this.hypervisor = Hypervisor.open(
                HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK), errands);
    }

    Region register(ManagedMemory memory) {
        return table.register(domain, memory, 0, Tables.ALL);
    }

    Accessor who(Right right) {
        return Accessor.remote(domain, 7, right);
    }

    /** Tries an access as an engine does: a fault, then once more with its pages leased. */
    Verdict access(Supplier<Verdict> access, Right right, Region region, long address, long length) {
        Verdict first = access.get();
        if (first != Verdict.NOT_RESIDENT) {
            return first;
        }
        Fault fault = fault(right, region, address, length);
        if (!fault.start()) {
            await(fault);
        }
        Verdict outcome = fault.outcome();
        if (outcome == Verdict.GRANTED) {
            outcome = access.get();
            assertNotEquals(Verdict.NOT_RESIDENT, outcome, "a leased page is gone");
        }
        fault.release();
        return outcome;
    }

    Fault fault(Right right, Region region, long address, long length) {
        Fault fault = new Fault(table, _ -> {});
        Fault.Intent intent = right == Right.REMOTE_READ ? Fault.Intent.READ : Fault.Intent.WRITE;
        assertEquals(Verdict.GRANTED, fault.add(who(right), region.key(), address, length, length, intent));
        return fault;
    }

    void await(Fault fault) {
        while (fault.outcome() == Verdict.NOT_RESIDENT) {
            if (!runCall()) {
                fault.poke();
                if (fault.outcome() == Verdict.NOT_RESIDENT && calls.isEmpty()) {
                    assertNotEquals(Long.MAX_VALUE, store.nextDeadlineNs(), "waits for nothing");
                    store.work(store.nextDeadlineNs());
                }
            }
        }
    }

    /** Calls a driver once; false if there is nothing to call one for. */
    boolean runCall() {
        Runnable call = calls.poll();
        if (call != null) {
            call.run();
        }
        return call != null;
    }

    Verdict place(Region region, long address, int length) {
        return access(
                () -> table.place(who(Right.REMOTE_WRITE), region.key(), address, wire, 0, length),
                Right.REMOTE_WRITE,
                region,
                address,
                length);
    }

    Verdict gather(Region region, long address, int length) {
        return access(
                () -> table.gather(who(Right.REMOTE_READ), region.key(), address, wire, 0, length),
                Right.REMOTE_READ,
                region,
                address,
                length);
    }

    Verdict fetchAdd(Region region, long address, long addend, AtomicResult out) {
        return access(
                () -> table.fetchAdd(who(Right.REMOTE_ATOMIC), region.key(), address, addend, out),
                Right.REMOTE_ATOMIC,
                region,
                address,
                Long.BYTES);
    }

    void settle() {
        store.await(() -> store.underWay() == 0);
    }

    /** No page of it is pinned at any stage, and nothing is leased. */
    public static void assertNoPins(ManagedMemory memory) {
        for (Stage stage = ((PagedMemory) memory).stage(); stage != null; stage = stage.below()) {
            for (long page = 0; page < stage.table().pages(); page++) {
                assertEquals(0, PageWord.pins(stage.table().word(page)), "pins of page " + page + " of " + stage);
            }
            assertEquals(0, stage.driver().transit().taken());
            assertEquals(0, stage.driver().landing().taken());
        }
    }

    @Override
    public void close() {
        settle();
        arena.close();
        hypervisor.close();
    }
}
