package org.verbena.bench.memory;

import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;
import org.verbena.verbs.WorkRequest;

/**
 * The loss of a stream of writes to resident pages by ten faults a second, for each of which the store takes 10 ms. The faults
 * occur at another queue pair of the same adapter, or at the queue pair of the stream, which must wait for each because requests
 * are done in order. Half seconds with and without faults take turns. Arguments: wire, seconds.
 */
final class SlowStore {
    private static final int PAGES = 1024;
    private static final long STORE_NS = 10_000_000;
    private static final long PERIOD_NS = 100_000_000;
    private static final long PHASE_NS = 5 * PERIOD_NS;
    private static final int LENGTH = 64 << 10;
    private static final int STREAM_BYTES = 4 << 20;
    private static final int DEPTH = 16;
    /** Marks a request that faults. */
    private static final int FAULT = 1;

    private final Rig rig;
    private final Region cold;
    private final WorkRequest.Sending[] stream;
    private int nextPage;
    private int streaming;
    private int faults;

    private SlowStore(Rig rig, Region cold, Region warm) {
        this.rig = rig;
        this.cold = cold;
        this.stream = new WorkRequest.Sending[STREAM_BYTES / LENGTH];
        for (int i = 0; i < stream.length; i++) {
            stream[i] = rig.request(Action.WRITE, 0, warm, (long) i * LENGTH, LENGTH);
        }
    }

    static String key(String wire, String who, String what) {
        return "10 faults/s of 10 ms " + wire + " " + who + " " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long seconds = Long.parseLong(arguments[1]);
        ObservedPageStore store = Stores.cached();
        try (Hypervisor hypervisor = Stores.hypervisor(64 << 20, store);
                ManagedMemory there = hypervisor.host().allocate(STREAM_BYTES);
                ManagedMemory stored = hypervisor.host().allocate((long) PAGES * PageStore.PAGE);
                Rig rig = new Rig(wire, 2, hypervisor);
                Region warm = rig.register(there);
                Region cold = rig.register(stored)) {
            Stores.touch(there);
            Stores.touch(stored);
            SlowStore slow = new SlowStore(rig, cold, warm);
            store.delayReads(STORE_NS);
            slow.measure(stored, 1, key(wire.label(), "another queue pair", ""), seconds);
            slow.measure(stored, 0, key(wire.label(), "the same queue pair", ""), seconds);
        }
    }

    /** Each phase is compared with the phase beside it, because the other load of the machine changes slowly. */
    private void measure(ManagedMemory stored, int faulting, String prefix, long seconds) {
        Sample calm = new Sample();
        Sample shares = new Sample();
        Stores.pageOut(stored);
        nextPage = 0;
        phase(-1);
        phase(faulting);
        for (long i = 0; i < 2 * seconds; i++) {
            boolean calmFirst = i % 2 == 0;
            long first = phase(calmFirst ? -1 : faulting);
            long second = phase(calmFirst ? faulting : -1);
            long undisturbed = calmFirst ? first : second;
            calm.add(undisturbed);
            shares.add(1_000_000 * (calmFirst ? second : first) / undisturbed);
        }
        Numbers.print(prefix + "MB/s", calm.median() * LENGTH / (PHASE_NS / 1e3));
        Numbers.print(prefix + "loss %", 100 - shares.median() / 1e4);
    }

    /** Writes done in a phase; a fault on a queue pair each period unless it is negative. Nothing is under way afterwards. */
    private long phase(int faulting) {
        long begin = System.nanoTime();
        long nextFault = begin + PERIOD_NS / 2;
        long done = 0;
        int next = 0;
        for (long now = begin; now - begin < PHASE_NS; now = System.nanoTime()) {
            while (streaming < DEPTH) {
                rig.post(0, stream[next++ % stream.length]);
                streaming++;
            }
            if (faulting >= 0 && now >= nextFault) {
                nextFault += PERIOD_NS;
                long offset = (long) nextPage++ * PageStore.PAGE + 64;
                rig.post(faulting, rig.request(Action.WRITE, FAULT, cold, offset, 64));
                faults++;
            }
            done += turn();
        }
        while (streaming + faults > 0) {
            turn();
        }
        return done;
    }

    /** Writes of the stream that a turn completed. */
    private int turn() {
        int streamed = 0;
        for (int i = rig.turn() - 1; i >= 0; i--) {
            boolean fault = rig.id(i) == FAULT;
            faults -= fault ? 1 : 0;
            streamed += fault ? 0 : 1;
        }
        streaming -= streamed;
        return streamed;
    }
}
