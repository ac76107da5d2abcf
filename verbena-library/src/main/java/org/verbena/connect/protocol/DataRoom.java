package org.verbena.connect.protocol;

/** Counts the bytes of data at connect that are arriving at one adapter. */
final class DataRoom {
    private final int most;
    private int reserved;

    DataRoom(int most) {
        this.most = most;
    }

    /** Bytes reserved now. */
    int reserved() {
        return reserved;
    }

    /** Reserves room; false, with nothing reserved, if there is not so much. */
    boolean reserve(int bytes) {
        if (bytes > most - reserved) {
            return false;
        }
        reserved += bytes;
        return true;
    }

    /** Gives reserved room back. */
    void release(int bytes) {
        assert bytes <= reserved : bytes + " bytes given back, " + reserved + " are reserved";
        reserved -= bytes;
    }
}
