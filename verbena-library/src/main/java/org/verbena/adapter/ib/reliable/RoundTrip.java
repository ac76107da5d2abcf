package org.verbena.adapter.ib.reliable;

import org.verbena.wire.ib.Psn;

/**
 * Measures round trips, one sample at a time, and derives the silence after which the requester asks again.
 *
 * <p>A request that was sent twice is no sample: its answer does not show which of the two it answers. So a peer that is slow for a
 * moment, because its thread does not run, would never show in the samples, and would be asked again each time. The time between a
 * probe and the answer is therefore kept apart, as <em>patience</em>. An answer that comes much later than usual raises it. An answer in
 * the usual time shows that the probe was needed, and halves it.
 */
final class RoundTrip {
    static final long PROBE_MIN_NS = 100_000;
    static final long PROBE_FIRST_NS = 4_000_000;
    /** Longest patience; the silence before a probe is twice the patience. */
    static final long PATIENCE_MAX_NS = 8_000_000;
    /** Each sample takes this part of the patience away, as a power of two. */
    private static final int PATIENCE_DECAY = 14;

    private long leastNs = PROBE_FIRST_NS;
    private long smoothedNs;
    private long deviationNs;
    private boolean sampling;
    private int samplePsn;
    private long sampleNs;
    private long patienceNs;
    private boolean probing;
    /** When the requester asked last. */
    private long probedNs;

    /** A connection begins, to an unknown peer. */
    void begin() {
        leastNs = PROBE_FIRST_NS;
        smoothedNs = 0;
        deviationNs = 0;
        sampling = false;
        patienceNs = 0;
        probing = false;
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
        if (probing) {
            probing = false;
            onProbeAnswered(nowNs - probedNs);
        }
        if (sampling && Psn.distance(samplePsn, unackedPsn) > 0) {
            sampling = false;
            add(nowNs - sampleNs);
        }
    }

    /** Packets are sent again: an answer would not show which of two packets it answers. */
    void onResent() {
        sampling = false;
    }

    /** The requester asks again, after silence. */
    void onProbed(long nowNs) {
        probedNs = nowNs;
        probing = true;
    }

    /** The peer tells of a loss, or that it is not ready: the time until the next answer is not that of a slow peer. */
    void onTold() {
        probing = false;
    }

    private void onProbeAnswered(long afterNs) {
        patienceNs =
                afterNs <= 2 * usualNs() ? patienceNs / 2 : Math.min(Math.max(patienceNs, afterNs), PATIENCE_MAX_NS);
    }

    /** Silence after which the requester asks again. */
    long probeNs() {
        return smoothedNs == 0 ? PROBE_FIRST_NS : Math.max(usualNs(), 2 * patienceNs);
    }

    private long usualNs() {
        return Math.max(PROBE_MIN_NS, smoothedNs * 2 + deviationNs * 4);
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
        patienceNs -= patienceNs >> PATIENCE_DECAY;
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
