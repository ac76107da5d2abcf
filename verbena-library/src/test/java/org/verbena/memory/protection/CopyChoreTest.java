package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.faults.PageHold;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.GuestStand;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ForwardingPageStore;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.Transfer;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** A copy that takes one of the last frames does not reclaim others itself: a thread that waits for the end of the copy would wait for that, too. */
final class CopyChoreTest {
    private static final int PAGE = GuestStand.PAGE;
    private static final long MACHINE = 1 << 20;

    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor writer = Accessor.remote(domain, 7, Right.REMOTE_WRITE);
    private final Accessor reader = Accessor.remote(domain, 7, Right.REMOTE_READ);
    private final WatchedStore store = new WatchedStore();
    private final MemorySegment packet = Arena.ofAuto().allocate(2 * PAGE, 8);

    /** Counts the threads inside when a page is to be written. */
    private static final class WatchedStore extends ForwardingPageStore {
        private final SimulatedPageStore simulated;
        private BooleanSupplier inside = () -> false;
        private int transfers;
        private int insideCopies;

        WatchedStore() {
            this(new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(2)));
        }

        private WatchedStore(SimulatedPageStore simulated) {
            super(simulated);
            this.simulated = simulated;
        }

        @Override
        public void submit(Transfer transfer) {
            transfers++;
            insideCopies += inside.getAsBoolean() ? 1 : 0;
            super.submit(transfer);
        }

        void work() {
            while (simulated.nextDeadlineNs() != Long.MAX_VALUE) {
                simulated.work(simulated.nextDeadlineNs());
            }
        }
    }

    private Hypervisor open() {
        return Hypervisor.open(HypervisorOptions.of(MACHINE).withStore(store).withPolicy(Hypervisor.Policy.CLOCK));
    }

    /** Far more than there are frames, in whole pages or page and a half: none of them meets a fault for want of frames. */
    @ParameterizedTest
    @ValueSource(ints = {0, 64, 192})
    void framesAreReclaimedBetweenCopies(int physicalPages) {
        try (Hypervisor hypervisor = open()) {
            Domain owner = physicalPages == 0
                    ? hypervisor.host()
                    : hypervisor.createGuest(GuestOptions.ofPhysical((long) physicalPages * PAGE));
            try (ManagedMemory memory = owner.allocate(4 * MACHINE);
                    Region region = table.register(domain, memory, 0, Tables.ALL)) {
                ProtectionEntry entry = Objects.requireNonNull(table.entry(region.key()));
                store.inside = () -> entry.state.inside() > 0;
                int pages = (int) (memory.length() / PAGE);
                for (int page = 0; page < pages / 2; page++) {
                    long at = (long) page * PAGE;
                    Verdict placed = table.place(writer, region.key(), at, packet.fill((byte) page), 0, PAGE);
                    assertEquals(Verdict.GRANTED, placed, "page " + page);
                    store.work();
                }
                for (int page = pages / 2; page < pages - 1; page += 2) { // zeros
                    assertEquals(
                            Verdict.GRANTED,
                            table.gather(reader, region.key(), (long) page * PAGE + PAGE / 2, packet, 0, PAGE),
                            "page " + page);
                    store.work();
                }
                assertTrue(store.transfers > 5, store.transfers + " transfers");
                assertEquals(0, store.insideCopies, "transfers begun inside a copy, of " + store.transfers);
            }
            if (!owner.isHost()) {
                owner.close();
            }
            store.work();
        }
    }

    /** The landing of a read is held outside of copies: it may have frames reclaimed as it goes. */
    @Test
    void aLargeHoldFindsFramesAsItGoes() {
        try (Hypervisor hypervisor = open();
                ManagedMemory clean = hypervisor.host().allocate(MACHINE - 8 * PAGE);
                ManagedMemory landing = hypervisor.host().allocate(MACHINE);
                Region region = table.register(domain, landing, 0, Tables.ALL)) {
            MemorySegment bytes = Arena.ofAuto().allocate(clean.length());
            clean.write(0, bytes.fill((byte) 1));
            clean.advise(0, clean.length(), Advice.PAGE_OUT);
            store.work();
            clean.read(0, bytes);
            store.work();
            int free = hypervisor.framesFree();
            assertTrue(free < 40, free + " frames free");
            PageHold hold = new PageHold();
            Accessor local = Accessor.local(domain, 7, Right.LOCAL_WRITE);
            assertEquals(Verdict.GRANTED, hold.add(table, local, region.key(), 0, 60 * PAGE));
            hold.release();
            GuestStand.assertNoPins(landing);
        }
    }
}
