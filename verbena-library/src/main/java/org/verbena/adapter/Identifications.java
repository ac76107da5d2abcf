package org.verbena.adapter;

/**
 * Which IPv4 identifications a peer is believed to use. A UDP socket does not show them, but the invariant CRC covers
 * them: one is computed from each packet that does not fit the best guess, and must be near the last one. Linux has one
 * counter for all it sends to an address, and moves it on by a random step, at most one a tick, when it was not used.
 *
 * <p>A random error gives an identification in one of 65,536 cases, and then a random one: of those, the {@value #SEGMENTS}
 * smallest and the 2·{@value #NEAR} near the last one are taken for good, about one damaged packet in 2<sup>24</sup>;
 * after a second of silence, in 2<sup>21</sup>.
 */
final class Identifications {
    /** Steps between two packets of one peer: some are lost, and not all that it sends comes here. */
    static final int NEAR = 64;
    /** The shortest tick of Linux's. */
    static final long TICK_NS = 1_000_000;
    /** Packets cut from one by segmentation offload count from 0. */
    static final int SEGMENTS = 128;
    /** Tries to find a new beginning before the old one is given up. */
    private static final int ASTRAY_MAX = 4;

    private boolean known;
    private boolean guessed;
    private int last;
    private long lastNs;
    private int candidate;
    private long candidateNs;
    private int astray;

    /** Knows nothing any more. */
    void forget() {
        known = false;
        guessed = false;
        astray = 0;
    }

    /** A packet had the identification that was guessed: a damaged one will not make a first impression any more. */
    void onGuessed() {
        guessed = true;
    }

    /** Whether a packet with this identification is taken for whole. */
    boolean accept(int identification, long nowNs) {
        boolean near = known && isNear(last, nowNs - lastNs, identification);
        if (near) {
            last = identification;
            lastNs = nowNs;
        }
        if (near || identification < SEGMENTS) {
            astray = 0;
            return true;
        }
        return begin(identification, nowNs);
    }

    /** An identification that fits nothing: only several in a row that fit each other are a new beginning. */
    private boolean begin(int identification, long nowNs) {
        boolean fits = astray > 0 && isNear(candidate, nowNs - candidateNs, identification);
        candidate = identification;
        candidateNs = nowNs;
        astray = fits ? astray + 1 : 1;
        if (astray >= ASTRAY_MAX || (!known && !guessed)) {
            known = true;
            last = identification;
            lastNs = nowNs;
            astray = 0;
            return true;
        }
        return false;
    }

    private static boolean isNear(int of, long idleNs, int identification) {
        int steps = identification - of & 0xffff;
        return steps <= NEAR + Math.min(0x8000, idleNs / TICK_NS) || steps >= 0x10000 - NEAR;
    }
}
