package org.verbena.bench.figures;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.verbena.link.Endpoint;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/**
 * Two adapters with default options over UDP, connected, with nothing to do: a program that prints its use of a core in
 * percent, threads of the virtual machine included.
 */
final class IdleAdapters {
    private static final long SETTLE_MS = 2000;
    private static final long MEASURE_MS = 5000;

    private IdleAdapters() {}

    /** Prints one number. */
    public static void main(String... arguments) throws InterruptedException {
        try (Adapter one = open("idle0");
                Adapter other = open("idle1")) {
            connect(one, other);
            Thread.sleep(SETTLE_MS);
            System.out.printf(Locale.ROOT, "%.3f%n", percentOfACore());
        }
    }

    private static Adapter open(String name) {
        return Adapter.open(UdpNetwork.open(Endpoint.of("127.0.0.1", 0)), AdapterOptions.DEFAULT.withName(name));
    }

    private static void connect(Adapter one, Adapter other) {
        QueuePair near = queuePair(one);
        QueuePair far = queuePair(other);
        near.connect(far.address(), ConnectionOptions.DEFAULT);
        far.connect(near.address(), ConnectionOptions.DEFAULT);
    }

    private static QueuePair queuePair(Adapter adapter) {
        return adapter.createQueuePair(
                QueuePairOptions.of(adapter.createProtectionDomain(), adapter.createCompletionQueue(16)));
    }

    private static double percentOfACore() throws InterruptedException {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpuNs = system.getProcessCpuTime();
        long startNs = System.nanoTime();
        Thread.sleep(MEASURE_MS);
        return 100.0 * (system.getProcessCpuTime() - cpuNs) / (System.nanoTime() - startNs);
    }
}
