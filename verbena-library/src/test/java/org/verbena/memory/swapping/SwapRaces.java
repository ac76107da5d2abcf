package org.verbena.memory.swapping;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.verbena.interleave.Actor;
import org.verbena.interleave.Interleaver;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.PagingProbe;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.Tables;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** A swap-out and a swap-in of one region that are called at the same time. To be run woven. */
final class SwapRaces {
    private static final long STEPS_MAX = 1_000_000;

    private SwapRaces() {}

    private static final class Caller extends Actor {
        private final Runnable call;

        Caller(String name, Runnable call) {
            super(name);
            this.call = call;
        }

        @Override
        protected void perform() {
            call.run();
        }
    }

    /** Runs both calls interleaved by a seed, then all that follows from them. Returns whether the swap-in has ended. */
    static boolean run(long seed) {
        Interleaver interleaver = new Interleaver(seed);
        VirtualClock clock = new VirtualClock();
        SimulatedPageStore store = new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(seed));
        ErrandsByHand errands = new ErrandsByHand();
        ProtectionTable table = Tables.table();
        HypervisorOptions options =
                HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store);
        try (Hypervisor hypervisor = PagingProbe.open(options, errands);
                ManagedMemory memory = hypervisor.host().allocate(4096);
                Region region = table.register(
                        table.createDomain(), memory, 0, Tables.ALL, CurrentIoOptions.of(CurrentIo.Mode.CONSUMER))) {
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            interleaver.add(new Caller("swap-out", () -> {
                CompletableFuture<SwapOut> _ = hypervisor.swapOut(region);
            }));
            interleaver.add(new Caller("swap-in", () -> ends.add(hypervisor.swapIn(region))));
            interleaver.run(STEPS_MAX);
            int done;
            do {
                done = errands.work() + store.work(clock.nowNs());
            } while (done > 0);
            return ends.getFirst().isDone();
        }
    }
}
