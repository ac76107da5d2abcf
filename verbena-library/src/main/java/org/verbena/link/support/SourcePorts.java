package org.verbena.link.support;

import org.verbena.link.LinkFlow;

/** UDP source ports of flows, as RoCEv2 chooses them: dynamic ports, which are registered for no service. */
public final class SourcePorts {
    /** The first one; the range goes to the last port there is. */
    public static final int FIRST = 0xc000;

    /** Number of ports in the range. */
    public static final int COUNT = 0x1_0000 - FIRST;

    private SourcePorts() {}

    /** The preferred port of a flow. Small numbers are spread over all ports; for a queue pair number the port is the one of Linux's rdma_rxe. */
    public static int of(LinkFlow flow) {
        return FIRST + ((flow.entropy() * 0x61c8_8647) >>> 18);
    }

    /** The share, 0 … {@code shares} − 1, that a flow belongs to. Flows with the same preferred port belong to the same share. */
    public static int share(LinkFlow flow, int shares) {
        return (of(flow) - FIRST) * shares / COUNT;
    }
}
