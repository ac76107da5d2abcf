package org.verbena.adapter;

/** Time of the present turn: read from a clock once a turn and the same for all parts. The engine's thread calls everything. */
public final class TurnTime {
    private long nowNs;

    TurnTime(long startNs) {
        nowNs = startNs;
    }

    public long nowNs() {
        return nowNs;
    }

    void set(long timeNs) {
        nowNs = timeNs;
    }
}
