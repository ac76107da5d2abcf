package org.verbena.manage.agent;

import org.verbena.wire.subnet.Notice;

/** Tells the agents of links that the data path trains again because of their errors. Each is counted at the port that found it, and a trap is sent. */
public final class LinkErrors {
    private LinkErrors() {}

    /** Too many packets came damaged: LocalLinkIntegrityErrors, trap 129. */
    public static void onDamage(ManagedPort at, long nowNs) {
        at.counters().localLinkIntegrityErrors++;
        Notices.linkError(at, Notice.LINK_INTEGRITY, nowNs);
    }

    /** Buffers were overrun for too long: ExcessiveBufferOverrunErrors, trap 130. */
    public static void onOverruns(ManagedPort at, long nowNs) {
        at.counters().excessiveBufferOverruns++;
        Notices.linkError(at, Notice.BUFFER_OVERRUN, nowNs);
    }

    /** No flow control packet came in time: trap 131. */
    public static void onSilence(ManagedPort at, long nowNs) {
        Notices.linkError(at, Notice.FLOW_CONTROL, nowNs);
    }
}
