package org.verbena.fabric.flow;

import java.lang.foreign.ValueLayout;
import org.verbena.time.Seed;
import org.verbena.wire.ib.Vcrc;

/** Faults of a cable in one direction, by chance: packets are lost, bits are wrong. Flow control packets meet them too. */
final class CableFaults {
    private static final int NOTE_BITS = 48;

    private final Seed seed;
    private final double loss;
    private final double bitErrors;

    /**
     * Faults with these probabilities.
     *
     * @param loss of a packet: its start is not recognised
     * @param bitErrors of one bit
     */
    CableFaults(Seed seed, double loss, double bitErrors) {
        this.seed = seed;
        this.loss = loss;
        this.bitErrors = bitErrors;
    }

    /** A packet passes, damaged perhaps; false if it is lost. The receiver then misses its blocks until it is told the count. */
    boolean pass(Parcel parcel, PortFlow from) {
        if (seed.chance(loss)) {
            PortFlow to = parcel.port;
            if (to != null) {
                to.port.counters().symbolErrors++;
                to.watch.onDamage(false);
            }
            parcel.port = null;
            from.flow.refreshLater(from);
            from.flow.drop(parcel);
            return false;
        }
        if (bitErrors > 0) {
            damage(parcel);
        }
        return true;
    }

    private void damage(Parcel parcel) {
        int bits = 8 * (parcel.length + Vcrc.LENGTH);
        // The distance to the next wrong bit has a geometric distribution.
        double at = nextError();
        while (at < bits) {
            int bit = (int) at;
            long where = (long) parcel.start + (bit >>> 3);
            byte old = parcel.segment().get(ValueLayout.JAVA_BYTE, where);
            parcel.segment().set(ValueLayout.JAVA_BYTE, where, (byte) (old ^ 1 << (bit & 7)));
            parcel.touched = true;
            if (parcel.port != null) {
                parcel.port.port.counters().symbolErrors++;
            }
            at += 1 + nextError();
        }
    }

    private double nextError() {
        return Math.log(1 - seed.nextDouble()) / Math.log1p(-bitErrors);
    }

    /** Whether a flow control packet passes: one that is damaged fails its check sum and is as lost. */
    boolean passNote(PortFlow from) {
        if (seed.chance(loss) || (bitErrors > 0 && nextError() < NOTE_BITS)) {
            from.flow.refreshLater(from);
            PortFlow to = from.peer;
            if (to != null) {
                to.watch.onNoteLost();
            }
            return false;
        }
        return true;
    }
}
