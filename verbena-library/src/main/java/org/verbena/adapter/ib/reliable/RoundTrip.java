package org.verbena.adapter.ib.reliable;

import org.verbena.wire.ib.Psn;

/** Measures round trips, one sample at a time, and says after which silence it is worth asking again. */
final class RoundTrip {
    static final long PROBE_MIN_NS = 100_000;
    static final long PROBE_FIRST_NS = 4_000_000;

    private long leastNs = PROBE_FIRST_NS;
    private long smoothedNs;
    private long deviationNs;
    private boolean sampling;
    private int samplePsn;
    private long sampleNs;

    /** A connection begins, to a peer of which nothing is known. */
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

    /** Everything before {@code unackedPsn} is answered. */
    void onAcknowledged(int unackedPsn, long nowNs) {
        if (sampling && Psn.distance(samplePsn, unackedPsn) > 0) {
            sampling = false;
            add(nowNs - sampleNs);
        }
    }

    /** Something is sent again: an answer would not tell which of the two it answers. */
    void onResent() {
        sampling = false;
    }

    /** Silence after which to ask again. */
    long probeNs() {
        return smoothedNs == 0 ? PROBE_FIRST_NS : Math.max(PROBE_MIN_NS, smoothedNs * 2 + deviationNs * 4);
    }

    /** The shortest round trip seen, which the path takes when nothing waits in it; a long one before the first. */
    long leastNs() {
        return leastNs;
    }

    /** The shortest round trip seen; 0 before the first. Usual ones may have waited for a page at the other end. */
    long measuredNs() {
        return smoothedNs == 0 ? 0 : leastNs;
    }

    /** How many of {@code window} packets the path itself holds; the others wait in queues on the way. */
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
