package org.verbena.manage;

/** Widths of a link: lanes of the cable. */
public enum LinkWidth {
    X1(1, 1),
    X2(2, 16),
    X4(4, 2),
    X8(8, 4),
    X12(12, 8);

    private final int lanes;
    private final int bit;

    LinkWidth(int lanes, int bit) {
        this.lanes = lanes;
        this.bit = bit;
    }

    /** Lanes of the cable. */
    public int lanes() {
        return lanes;
    }

    /** Its bit in the width fields of PortInfo. */
    public int bit() {
        return bit;
    }

    @Override
    public String toString() {
        return lanes + "x";
    }
}
