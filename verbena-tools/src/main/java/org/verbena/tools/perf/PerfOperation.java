package org.verbena.tools.perf;

/** What is measured, under the names of the command line. */
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

    /** Takes a receive at the target, whose consumer sees it arrive. */
    public boolean takesReceive() {
        return this == SEND || this == WRITE_IMM;
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return label;
    }
}
