package org.verbena.bench.first;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.verbs.Adapter;

/**
 * What a process has used so far, or in a span of time.
 *
 * @param cpuNs CPU time of all its threads
 * @param sent packets of its adapter
 * @param resent packets of its adapter that were sent again
 * @param refused receiver-not-ready NAKs that its adapter received
 */
record Usage(long cpuNs, long sent, long resent, long refused) {
    /** Of this process, with the packets of its adapter. */
    static Usage of(Adapter adapter) {
        Counters counters = adapter.counters();
        return new Usage(
                cpuTimeNs(),
                counters.value(Counter.SENT_PACKETS),
                counters.value(Counter.RETRANSMITTED_PACKETS),
                counters.value(Counter.RECEIVED_RNR_NAKS));
    }

    /** Of this process, which has no adapter. */
    static Usage ofProcess() {
        return new Usage(cpuTimeNs(), 0, 0, 0);
    }

    private static long cpuTimeNs() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    Usage plus(Usage other) {
        return new Usage(cpuNs + other.cpuNs, sent + other.sent, resent + other.resent, refused + other.refused);
    }

    Usage since(Usage earlier) {
        return new Usage(
                cpuNs - earlier.cpuNs, sent - earlier.sent, resent - earlier.resent, refused - earlier.refused);
    }

    double resentPercent() {
        return sent == 0 ? 0 : 100.0 * resent / sent;
    }
}
