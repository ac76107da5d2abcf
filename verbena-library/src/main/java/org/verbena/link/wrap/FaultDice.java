package org.verbena.link.wrap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.link.Packet;
import org.verbena.time.Seed;

/** Decides the faults of each packet of one direction, from a seed, and counts them. */
final class FaultDice {
    private static final int REORDER_MAX = 8;
    /** The invariant CRC finds every change of up to three bits. */
    private static final int BITS_MAX = 3;

    private final Seed seed;
    private final LinkFaults faults;
    private long dropped;
    private long duplicated;
    private long reordered;
    private long corrupted;

    FaultDice(Seed seed, LinkFaults faults) {
        this.seed = seed;
        this.faults = faults;
    }

    boolean drops() {
        boolean hit = seed.chance(faults.drop());
        dropped += hit ? 1 : 0;
        return hit;
    }

    boolean duplicates() {
        boolean hit = seed.chance(faults.duplicate());
        duplicated += hit ? 1 : 0;
        return hit;
    }

    boolean reorders() {
        boolean hit = seed.chance(faults.reorder());
        reordered += hit ? 1 : 0;
        return hit;
    }

    /** After how many others a held packet comes. */
    int wait(int atLeast) {
        return atLeast + seed.nextInt(REORDER_MAX);
    }

    /** Changes a few bits of the packet, if it is so decided. */
    void maybeCorrupt(Packet packet) {
        if (!seed.chance(faults.corrupt())) {
            return;
        }
        corrupted++;
        int bits = 1 + seed.nextInt(BITS_MAX);
        int first = seed.nextInt(packet.length() * 8);
        for (int i = 0; i < bits; i++) {
            // Neighbouring bits are different bits: no change takes another back.
            flip(packet, (first + i) % (packet.length() * 8));
        }
    }

    private static void flip(Packet packet, int bit) {
        MemorySegment segment = packet.segment();
        int at = packet.offset() + (bit >>> 3);
        int changed = segment.get(ValueLayout.JAVA_BYTE, at) ^ (1 << (bit & 7));
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) changed);
    }

    long dropped() {
        return dropped;
    }

    long duplicated() {
        return duplicated;
    }

    long reordered() {
        return reordered;
    }

    long corrupted() {
        return corrupted;
    }
}
