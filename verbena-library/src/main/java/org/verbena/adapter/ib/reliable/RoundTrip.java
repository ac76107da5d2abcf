package org.verbena.adapter.ib.reliable;

import org.verbena.wire.ib.Psn;

/** Measures round trips, one sample at a time, and derives the silence after which the requester asks again. */
final class RoundTrip {
    static final long PROBE_MIN_NS = 100_000;
    static final long PROBE_FIRST_NS = 4_000_000;

    private long leastNs = PROBE_FIRST_NS;
    private long smoothedNs;
    private long deviationNs;
    private boolean sampling;
    private int samplePsn;
    private long sampleNs;

    /** A connection begins, to an unknown peer. */
    void begin() {
        leastNs = PROBE_FIRST_NS;
        smoothedNs = 0;
        deviationNs = 0;
        sampling = false;
    }

    /** A packet that asks for an answer leaves. */
    void onSent(int psn, long nowNs) {
        if (!sampling) {
            sampling = true;
            samplePsn = psn;
            sampleNs = nowNs;
        }
    }

    /** All numbers before {@code unackedPsn} are answered. */
    void onAcknowledged(int unackedPsn, long nowNs) {
        if (sampling && Psn.distance(samplePsn, unackedPsn) > 0) {
            sampling = false;
            add(nowNs - sampleNs);
        }
    }

    /** Packets are sent again: an answer would not show which of two packets it answers. */
    void onResent() {
        sampling = false;
    }

    /** Silence after which the requester asks again. */
    long probeNs() {
        return smoothedNs == 0 ? PROBE_FIRST_NS : Math.max(PROBE_MIN_NS, smoothedNs * 2 + deviationNs * 4);
    }

    /** The shortest measured round trip, without waiting in queues; a long time until one is measured. */
    long leastNs() {
        return leastNs;
    }

    /** The shortest measured round trip; 0 until one is measured. Longer ones may include a wait for a page at the peer. */
    long measuredNs() {
        return smoothedNs == 0 ? 0 : leastNs;
    }

    /** Number of {@code window} packets that the path itself holds; the others wait in queues. */
    int carried(int window) {
        return smoothedNs == 0 ? 0 : (int) (window * leastNs / smoothedNs);
    }

    private void add(long sampledNs) {
        long ns = Math.max(1, sampledNs);
        leastNs = Math.min(leastNs, ns);
        if (smoothedNs == 0) {
            smoothedNs = ns;
            deviationNs = ns / 2;
            return;
        }
        long error = ns - smoothedNs;
        smoothedNs = Math.max(leastNs, smoothedNs + error / 8);
        deviationNs += (Math.abs(error) - deviationNs) / 4;
    }
}
