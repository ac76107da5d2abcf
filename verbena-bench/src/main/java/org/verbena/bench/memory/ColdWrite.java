package org.verbena.bench.memory;

import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;
import org.verbena.trace.Counter;

/**
 * A write of 4 MiB to pages in a file on disk, from the middle of a page on and from the start of one, in turn with the same write to
 * resident pages and with a fault of 4 KiB. Arguments: wire, seconds.
 */
final class ColdWrite {
    private static final int LENGTH = 4 << 20;
    private static final long BYTES = LENGTH + 4 * PageStore.PAGE;
    private static final int WARM_UP = 20;

    private ColdWrite() {}

    static String key(String wire, String what) {
        return "cold 4 MiB " + wire + " " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long ns = Long.parseLong(arguments[1]) * 1_000_000_000L;
        try (Hypervisor hypervisor = Stores.hypervisor(128 << 20, Stores.onDisk());
                ManagedMemory there = hypervisor.host().allocate(BYTES);
                ManagedMemory stored = hypervisor.host().allocate(BYTES);
                Rig rig = new Rig(wire, 1, hypervisor);
                Region warm = rig.register(there);
                Region cold = rig.register(stored)) {
            Stores.touch(there);
            Stores.touch(stored);
            for (boolean aligned : new boolean[] {false, true}) {
                measure(wire.label(), rig, stored, cold, warm, aligned, ns);
            }
        }
    }

    private static void measure(
            String wire, Rig rig, ManagedMemory stored, Region cold, Region warm, boolean aligned, long ns) {
        Sample streaming = new Sample();
        Sample fault = new Sample();
        Sample took = new Sample();
        long naks = 0;
        long naksMost = 0;
        long resent = 0;
        long offset = aligned ? PageStore.PAGE : PageStore.PAGE / 2;
        long end = System.nanoTime() + 2 * ns;
        for (int round = 0; round < 2 * WARM_UP || System.nanoTime() < end; round++) {
            boolean counts = round >= WARM_UP;
            long resident = rig.once(0, rig.request(Action.WRITE, 1, warm, offset, LENGTH));
            Stores.pageOut(stored);
            long small = rig.once(0, rig.request(Action.WRITE, 2, cold, PageStore.PAGE / 2, PageStore.PAGE));
            Stores.pageOut(stored);
            long naksBefore = rig.nearCount(Counter.RECEIVED_RNR_NAKS);
            long resentBefore = rig.nearCount(Counter.RETRANSMITTED_PACKETS);
            long large = rig.once(0, rig.request(Action.WRITE, 3, cold, offset, LENGTH));
            if (counts) {
                long now = rig.nearCount(Counter.RECEIVED_RNR_NAKS) - naksBefore;
                naks += now;
                naksMost = Math.max(naksMost, now);
                resent += rig.nearCount(Counter.RETRANSMITTED_PACKETS) - resentBefore;
                streaming.add(resident);
                fault.add(small);
                took.add(large);
            }
        }
        String prefix = key(wire, aligned ? "aligned " : "unaligned ");
        Numbers.print(prefix + "µs", took.median() / 1e3);
        Numbers.print(prefix + "streaming µs", streaming.median() / 1e3);
        Numbers.print(prefix + "4 KiB fault µs", fault.median() / 1e3);
        Numbers.print(prefix + "allowed µs", (2 * fault.median() + streaming.median()) / 1e3);
        Numbers.print(prefix + "RNR NAKs per write", (double) naks / took.size());
        Numbers.print(prefix + "RNR NAKs of the worst write", naksMost);
        Numbers.print(prefix + "packets sent again per write", (double) resent / took.size());
        Numbers.print(prefix + "writes", took.size());
    }
}
