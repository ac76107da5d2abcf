package org.verbena.adapter;

/**
 * Which IPv4 identifications a peer is believed to use. A UDP socket does not show them, but the invariant CRC covers
 * them: one is computed from each packet that does not fit the best guess, and must be near the last one.
 *
 * <p>A random error gives an identification in one of 65,536 cases, and then a random one: of those, the {@value #SEGMENTS}
 * smallest and the 2·{@value #NEAR} near the last one are taken for good, about one damaged packet in 2<sup>24</sup>.
 */
public final class Identifications {
    /** Steps between two packets of one peer: other flows of the peer's may count the same counter up. */
    static final int NEAR = 64;
    /** Packets cut from one by segmentation offload count from 0. */
    static final int SEGMENTS = 128;
    /** Tries to find a new beginning before the old one is given up. */
    private static final int ASTRAY_MAX = 4;

    private boolean known;
    private boolean guessed;
    private int last;
    private int candidate;
    private int astray;

    /** A packet had the identification that was guessed: a damaged one will not make a first impression any more. */
    void onGuessed() {
        guessed = true;
    }

    /** Whether a packet with this identification is taken for whole. */
    boolean accept(int identification) {
        boolean near = isNear(known, last, identification);
        if (near) {
            last = identification;
        }
        if (near || identification < SEGMENTS) {
            astray = 0;
            return true;
        }
        return begin(identification);
    }

    /** An identification that fits nothing: only several in a row that fit each other are a new beginning. */
    private boolean begin(int identification) {
        boolean fits = isNear(astray > 0, candidate, identification);
        candidate = identification;
        astray = fits ? astray + 1 : 1;
        if (astray >= ASTRAY_MAX || (!known && !guessed)) {
            known = true;
            last = identification;
            astray = 0;
            return true;
        }
        return false;
    }

    private static boolean isNear(boolean reference, int of, int identification) {
        int steps = identification - of & 0xffff;
        return reference && (steps <= NEAR || steps >= 0x10000 - NEAR);
    }
}
