package org.verbena.adapter.ib.reliable;

/**
 * The silence that the requester bears before it asks again, and what the answer to its question shows.
 *
 * <p>A peer whose thread does not run for some milliseconds is slow, not lost. A connection without signs of loss is <em>calm</em>
 * and bears such a silence. A sign of loss makes it <em>wary</em>: it asks after the usual time of a round trip. Signs are a loss
 * that the peer tells of, a gap in its answers, and an answer that follows a question at once, as if the question was needed. An
 * answer long after a question shows a slow peer: the connection is calm again and bears a longer silence from then on. Without any
 * sign it is calm after {@link #WARY_PACKETS} packets.
 */
final class Patience {
    /** Silence that a calm connection bears, until its peer is known to be slower. */
    static final long CALM_NS = 4_000_000;
    /** Longest silence that a calm connection bears for a slow peer. */
    static final long CALM_MAX_NS = 8_000_000;
    /** Packets that are answered after the last sign of loss before the connection is calm. */
    static final int WARY_PACKETS = 4096;
    /** An answer within this time of a question, or within four of the shortest round trips, follows it at once. */
    static final long AT_ONCE_NS = 100_000;
    /** A calm connection asks at least this number of times before the consumer's timeout. */
    private static final int ASKS_BEFORE_TIMEOUT = 4;

    private final RoundTrip roundTrip;
    private long calmNs = CALM_NS;
    private int waryPackets;
    private boolean asked;
    private long askedNs;

    Patience(RoundTrip roundTrip) {
        this.roundTrip = roundTrip;
    }

    /** A connection begins. */
    void begin() {
        calmNs = CALM_NS;
        waryPackets = 0;
        asked = false;
    }

    /** Silence to bear before the first question, of a connection whose consumer bears {@code timeoutNs}; 0 stands for any time. */
    long silenceNs(long timeoutNs) {
        long usualNs = roundTrip.probeNs();
        if (!isCalm()) {
            return usualNs;
        }
        long borneNs = timeoutNs == 0 ? calmNs : Math.min(calmNs, timeoutNs / ASKS_BEFORE_TIMEOUT);
        return Math.max(usualNs, borneNs);
    }

    /** Whether there was no sign of loss lately. */
    boolean isCalm() {
        return waryPackets == 0;
    }

    /** The requester asks again, after silence. */
    void onAsked(long nowNs) {
        asked = true;
        askedNs = nowNs;
    }

    /** The peer is not ready: its next answer says nothing about the last question. */
    void onRefused() {
        asked = false;
    }

    /** The peer, or a gap in its answers, tells of a loss. */
    void onLoss() {
        asked = false;
        waryPackets = WARY_PACKETS;
        calmNs = CALM_NS;
    }

    /**
     * This number of packets was answered.
     *
     * @return whether the answer shows that the peer was slow: packets that counted as lost are on their way
     */
    boolean onAnswered(int packets, long nowNs) {
        if (!asked) {
            waryPackets = Math.max(0, waryPackets - packets);
            return false;
        }
        if (nowNs - askedNs <= Math.max(AT_ONCE_NS, 4 * roundTrip.measuredNs())) {
            onLoss();
            return false;
        }
        asked = false;
        waryPackets = 0;
        calmNs = Math.min(2 * calmNs, CALM_MAX_NS);
        return true;
    }
}
