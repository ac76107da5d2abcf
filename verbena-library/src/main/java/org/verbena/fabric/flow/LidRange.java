package org.verbena.fabric.flow;

/** Ranges of local identifiers. */
final class LidRange {
    /** The first of a multicast group. */
    static final int MULTICAST_FIRST = 0xc000;

    /** The node that the packet has reached, whatever it is. */
    static final int PERMISSIVE = 0xffff;

    private LidRange() {}
}
