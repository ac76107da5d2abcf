package org.verbena.tools.perf;

/** The operations that can be measured, under the names of the command line. */
public enum PerfOperation {
    SEND("send"),
    WRITE("write"),
    WRITE_IMM("write-imm"),
    READ("read"),
    FETCH_ADD("fetch-add"),
    COMPARE_SWAP("compare-swap");

    private final String label;

    PerfOperation(String label) {
        this.label = label;
    }

    /** Changes or reads 8 bytes in one piece. */
    public boolean isAtomic() {
        return this == FETCH_ADD || this == COMPARE_SWAP;
    }

    /** Brings data back to the initiator: its completion is a whole round trip. */
    public boolean returnsData() {
        return this == READ || isAtomic();
    }

    /** Takes a receive at the target, so that its consumer gets a completion. */
    public boolean takesReceive() {
        return this == SEND || this == WRITE_IMM;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return label;
    }
}
