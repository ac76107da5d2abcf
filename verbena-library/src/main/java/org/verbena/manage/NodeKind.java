package org.verbena.manage;

/** Kinds of nodes of a subnet. */
public enum NodeKind {
    /** A channel adapter: an end node. */
    ADAPTER(1),
    /** A switch; its port 0 is the switch itself. */
    SWITCH(2),
    /** A router: an end node of each subnet that it joins. */
    ROUTER(3);

    private final int code;

    NodeKind(int code) {
        this.code = code;
    }

    /** Its number in NodeInfo. */
    public int code() {
        return code;
    }
}
