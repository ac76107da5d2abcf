package org.verbena.adapter.ib;

/**
 * Which IPv4 identifications a peer is believed to use. A UDP socket does not show them, but the invariant CRC covers
 * them: one is computed from each packet that does not fit the best guess, and should be near one that came before. Linux
 * has one counter for all it sends to an address, and moves it on by a random step, at most one a tick, when it was not
 * used.
 *
 * <p>A random error gives an identification in one of 65,536 cases, and then a random one: of those, the {@value #SEGMENTS}
 * smallest and the 2·{@value #NEAR} near the last one are taken for good, about one damaged packet in 2<sup>24</sup>;
 * after a second of silence, in 2<sup>21</sup>.
 *
 * <p>So strange identifications of damaged packets are rare, and more of them than damage explains are no damage: the
 * peer counts from somewhere else, or somebody writes its address on packets of his own. Only one in {@value
 * #PACKETS_PER_STRANGER} packets is refused for its identification, {@value #STRANGERS_REFUSED} in a row: nobody can have
 * the packets of another refused by sending packets that look like his, unless he sends thousands for each.
 */
final class Identifications {
    /** Steps between two packets of one peer: some are lost, and not all that it sends comes here. */
    static final int NEAR = 64;
    /** The shortest tick of Linux's. */
    static final long TICK_NS = 1_000_000;
    /** Packets cut from one by segmentation offload count from 0. */
    static final int SEGMENTS = 128;
    /** Eight times as often as damage makes one, even if every packet is damaged. */
    static final int PACKETS_PER_STRANGER = 8192;
    /** Strange identifications refused in a row, before the next one is believed. */
    static final int STRANGERS_REFUSED = 3;
    /** Counters of one peer: it may have begun anew, and several may stand behind one address. */
    static final int TRACKS = 4;
    /** How long a counter is remembered that stands still while another one moves. */
    static final long TRACK_NS = 1_000_000_000;

    private static final int REFUSALS_MAX = STRANGERS_REFUSED * PACKETS_PER_STRANGER;

    private final int[] last = new int[TRACKS];
    private final long[] lastNs = new long[TRACKS];
    /** Number of tracks in use. */
    private int tracks;
    /** The track moved last. */
    private int newest;

    private boolean guessed;
    /** What may be refused: grows by one with each packet. */
    private int refusals = REFUSALS_MAX;

    /** Knows nothing any more. */
    void forget() {
        tracks = 0;
        guessed = false;
        refusals = REFUSALS_MAX;
    }

    /** A packet had the identification that was guessed: a damaged one will not make a first impression any more. */
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

    /** Whether a packet with this identification is taken for whole. */
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
