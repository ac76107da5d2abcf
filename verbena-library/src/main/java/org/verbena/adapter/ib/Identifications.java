package org.verbena.adapter.ib;

/**
 * The IPv4 identifications that a peer plausibly uses. A UDP socket does not show them, but the invariant CRC covers them. From each
 * packet that does not fit the best guess its identification is computed; it should be near an earlier one. Linux has one counter for
 * all packets to an address. When the counter has not been used for a while, Linux adds a random step, at most one for each tick.
 *
 * <p>A random error gives an identification in one of 65,536 cases, and then a random one: of those, the {@value #SEGMENTS}
 * smallest and the 2·{@value #NEAR} near the last one are taken for good, about one damaged packet in 2<sup>24</sup>;
 * after a second of silence, in 2<sup>21</sup>.
 *
 * <p>Therefore damaged packets rarely have implausible identifications. If there are more of them than damage explains, they have
 * another reason: the peer has begun to count anew, or an attacker forges its address. Only one in {@value #PACKETS_PER_STRANGER}
 * packets is refused for its identification, and {@value #STRANGERS_REFUSED} in a row: to have one packet of a peer refused, an
 * attacker must send thousands of packets with the peer's address.
 */
final class Identifications {
    /** Largest difference between two packets of one peer: some packets are lost, and some go to other receivers. */
    static final int NEAR = 64;
    /** The shortest tick of Linux. */
    static final long TICK_NS = 1_000_000;
    /** Packets cut from one by segmentation offload count from 0. */
    static final int SEGMENTS = 128;
    /** Packets for each implausible identification that is refused; damage causes one in eight times as many. */
    static final int PACKETS_PER_STRANGER = 8192;
    /** Implausible identifications that are refused in a row; the next one is believed. */
    static final int STRANGERS_REFUSED = 3;
    /** Counters of one peer: it may have begun anew, and several hosts may share one address. */
    static final int TRACKS = 4;
    /** Time for which a counter is remembered that stands still while another one moves. */
    static final long TRACK_NS = 1_000_000_000;

    private static final int REFUSALS_MAX = STRANGERS_REFUSED * PACKETS_PER_STRANGER;

    private final int[] last = new int[TRACKS];
    private final long[] lastNs = new long[TRACKS];
    /** Number of tracks in use; they are the first ones. */
    private int tracks;
    /** The track moved last. */
    private int newest;

    private boolean guessed;
    /** Allowance for refusals: grows by one with each packet. */
    private int refusals = REFUSALS_MAX;

    /** Forgets all tracks. */
    void forget() {
        tracks = 0;
        guessed = false;
        refusals = REFUSALS_MAX;
    }

    /** A packet had the guessed identification. From now on the first implausible one is not believed at once. */
    void onGuessed() {
        guessed = true;
        onPacket();
    }

    /** A packet fits no identification at all. */
    void onDamaged() {
        onPacket();
    }

    private void onPacket() {
        refusals = Math.min(REFUSALS_MAX, refusals + 1);
    }

    /** Whether a packet with this identification is accepted as undamaged. */
    boolean accept(int identification, long nowNs) {
        int track = near(identification, nowNs);
        if (track >= 0) {
            move(track, identification, nowNs);
        }
        if (track >= 0 || identification < SEGMENTS) {
            onPacket();
            return true;
        }
        boolean first = tracks == 0 && !guessed;
        if (!first && refusals >= PACKETS_PER_STRANGER) {
            refusals -= PACKETS_PER_STRANGER;
            return false;
        }
        move(free(nowNs), identification, nowNs);
        return true;
    }

    private int near(int identification, long nowNs) {
        for (int i = 0; i < tracks; i++) {
            if (lastNs[newest] - lastNs[i] <= TRACK_NS && isNear(last[i], nowNs - lastNs[i], identification)) {
                return i;
            }
        }
        return -1;
    }

    /** An unused track or, if there is none, the one that has not moved for longest. */
    private int free(long nowNs) {
        if (tracks < TRACKS) {
            return tracks++;
        }
        int oldest = 0;
        for (int i = 1; i < TRACKS; i++) {
            if (nowNs - lastNs[i] > nowNs - lastNs[oldest]) {
                oldest = i;
            }
        }
        return oldest;
    }

    private void move(int track, int identification, long nowNs) {
        last[track] = identification;
        lastNs[track] = nowNs;
        newest = track;
    }

    private static boolean isNear(int of, long idleNs, int identification) {
        int steps = identification - of & 0xffff;
        return steps <= NEAR + Math.min(0x8000, idleNs / TICK_NS) || steps >= 0x10000 - NEAR;
    }
}
