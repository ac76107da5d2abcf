package org.verbena.fabric.flow;

import org.jspecify.annotations.Nullable;

/**
 * Chooses among the lanes of a port by its two tables (specification 7.6.9). The high table goes first until its limit is used up; then the low table gets
 * one packet. Within a table entries take turns; an entry sends until its weight is used up. Lanes that no table names send, in turn, when no other lane can.
 */
final class Arbiter {
    private static final int UNIT = 64;
    private static final int LIMIT_UNIT = 4096;
    private static final int UNLIMITED = 255;
    private static final int LANES = 15;

    private final Table high = new Table();
    private final Table low = new Table();
    private long limit;
    private long highLeft;
    private int lastPlain = LANES - 1;
    private @Nullable Table charged;

    /** One of the two tables, and how far its turn is. */
    private static final class Table {
        private byte[] entries = {};
        private int at;
        private int left;
        private int lanes;

        void load(byte[] table) {
            entries = table;
            lanes = 0;
            for (int i = 0; i + 1 < table.length; i += 2) {
                if (table[i + 1] != 0) {
                    lanes |= 1 << (table[i] & 0xf);
                }
            }
            at = 0;
            left = entries.length > 1 ? (entries[1] & 0xff) * UNIT : 0;
        }

        /** The lane whose turn it is among these; the table names at least one of them. */
        int choose(int ready) {
            while (left <= 0 || (ready >>> (entries[at] & 0xf) & 1) == 0) {
                at += 2;
                if (at + 1 >= entries.length) {
                    at = 0;
                }
                left = (entries[at + 1] & 0xff) * UNIT;
            }
            return entries[at] & 0xf;
        }
    }

    /**
     * The tables or the limit have been written.
     *
     * @param highTable pairs of bytes: lane, weight in units of 64 bytes
     * @param lowTable pairs of bytes
     * @param limitUnits bytes that the high table may send before the low table gets a packet, in units of 4096; 255: no limit
     */
    void load(byte[] highTable, byte[] lowTable, int limitUnits) {
        high.load(highTable);
        low.load(lowTable);
        limit = limitUnits == UNLIMITED ? Long.MAX_VALUE : (long) limitUnits * LIMIT_UNIT;
        highLeft = limit;
    }

    /** The lane that sends next among these; at least one bit is set, none of lane 15. {@link #charge} follows. */
    int choose(int ready) {
        int ofHigh = ready & high.lanes;
        int ofLow = ready & low.lanes;
        if (ofHigh != 0 && (highLeft >= 0 || ofLow == 0)) {
            charged = high;
            return high.choose(ofHigh);
        }
        highLeft = limit;
        if (ofLow != 0) {
            charged = low;
            return low.choose(ofLow);
        }
        charged = null;
        do {
            lastPlain = lastPlain == LANES - 1 ? 0 : lastPlain + 1;
        } while ((ready >>> lastPlain & 1) == 0);
        return lastPlain;
    }

    /** The lane chosen last sends this many bytes. */
    void charge(int bytes) {
        Table table = charged;
        if (table != null) {
            table.left -= bytes;
            if (table == high && highLeft != Long.MAX_VALUE) {
                highLeft -= bytes;
            }
        }
    }
}
