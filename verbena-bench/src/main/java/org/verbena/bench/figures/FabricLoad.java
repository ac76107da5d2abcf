package org.verbena.bench.figures;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.topology.Topologies;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;

/**
 * A fat tree of 64 hosts under full load in virtual time: a program that prints four numbers. They are millions of packet hops a second, bytes allocated for
 * each hop, Gbit of payload a second that a host sends in virtual time, and how many times slower than real time it ran.
 *
 * <p>Arguments: {@code PAYLOAD SECONDS}. One thread does everything. Each host sends to all others in turn and never pauses; a packet is claimed, gets its base
 * transport header, and is committed. The links of all hosts are looked at once in a step of virtual time that is shorter than what their queues last.
 */
final class FabricLoad {
    private static final int LEAVES = 8;
    private static final int SPINES = 8;
    private static final int HOSTS_PER_LEAF = 8;
    private static final int HOSTS = LEAVES * HOSTS_PER_LEAF;
    /** Bytes of a packet between its payload and the base transport header, and of the invariant CRC. */
    private static final int AROUND = Bth.LENGTH + 4;
    /** Queues of 64 packets of 94 bytes last 480 ns at 100 Gbit/s. */
    private static final long STEP_NS = 400;

    private static final int STEPS_BETWEEN_LOOKS = 100;
    private static final int KEY = 0xffff;
    private static final int QUEUE_PAIR = 5;
    private static final int WARM_UP_SECONDS = 4;
    /** Most warm-ups, one after the other. */
    private static final int WARM_UPS_MAX = 8;
    /** Bytes that a warm-up allocates for its text. More are those of a pool that still grows. */
    private static final long TEXT_BYTES = 65_536;

    private final int length;
    private final Fabric fabric;
    private final Link[] links = new Link[HOSTS];
    /** By host: the paths to all others. */
    private final LinkPath[][] paths = new LinkPath[HOSTS][HOSTS - 1];
    /** By host: the next destination. */
    private final int[] turns = new int[HOSTS];

    private final PacketHandler counter = this::onPacket;
    private long received;

    private FabricLoad(int payload) {
        this.length = AROUND + payload;
        this.fabric = Fabric.of(Topologies.twoLevelFatTree(LEAVES, SPINES, HOSTS_PER_LEAF, 1));
        FabricSweep.bringUp(fabric, name(0), ManagerOptions.DEFAULT);
        for (int host = 0; host < HOSTS; host++) {
            links[host] = fabric.open(name(host), 1);
        }
        for (int host = 0; host < HOSTS; host++) {
            for (int turn = 0; turn < HOSTS - 1; turn++) {
                paths[host][turn] = links[host].path(links[(host + 1 + turn) % HOSTS].local(), LinkFlow.of(1));
            }
        }
    }

    /** Prints four numbers. */
    public static void main(String... arguments) {
        FabricLoad load = new FabricLoad(Integer.parseInt(arguments[0]));
        load.warmUp();
        System.out.println(load.run(Integer.parseInt(arguments[1])));
        System.exit(0);
    }

    /** Runs until switches and hosts have as many packets as they ever hold at this load. */
    private void warmUp() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UPS_MAX; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run(WARM_UP_SECONDS);
            if (threads.getCurrentThreadAllocatedBytes() - before < TEXT_BYTES) {
                return;
            }
        }
    }

    private static String name(int host) {
        return "h" + host / HOSTS_PER_LEAF + "-" + host % HOSTS_PER_LEAF;
    }

    private String run(int seconds) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long hops = fabric.hops();
        long virtualNs = fabric.nowNs();
        long packets = received;
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long startNs = System.nanoTime();
        long endNs = startNs + TimeUnit.SECONDS.toNanos(seconds);
        do {
            for (int step = 0; step < STEPS_BETWEEN_LOOKS; step++) {
                step();
            }
        } while (System.nanoTime() - endNs < 0);
        double realNs = System.nanoTime() - startNs;
        bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
        hops = fabric.hops() - hops;
        virtualNs = fabric.nowNs() - virtualNs;
        packets = received - packets;
        if (packets == 0) {
            throw new MeasurementException("no packet arrived");
        }
        return String.format(
                Locale.ROOT,
                "%.4f %.4f %.2f %.0f",
                hops * 1e3 / realNs,
                (double) bytes / hops,
                8.0 * packets * (length - AROUND) / HOSTS / virtualNs,
                realNs / virtualNs);
    }

    /** Hosts take what has come and fill their queues; then virtual time passes. */
    private void step() {
        for (int host = 0; host < HOSTS; host++) {
            Link link = links[host];
            link.receive(counter, Integer.MAX_VALUE);
            while (send(host, link)) {
                // The next one.
            }
            link.flush();
        }
        fabric.advance(fabric.nowNs() + STEP_NS);
    }

    private boolean send(int host, Link link) {
        int turn = turns[host];
        Packet packet = link.claim(paths[host][turn], length);
        if (packet == null) {
            return false;
        }
        Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, KEY, QUEUE_PAIR);
        link.commit(packet);
        turns[host] = turn == HOSTS - 2 ? 0 : turn + 1;
        return true;
    }

    private void onPacket(Packet packet) {
        received++;
    }
}
