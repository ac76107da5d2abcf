package org.verbena.manage.agent;

import org.verbena.wire.subnet.Notice;

/** Tells the agents of packets that the data path refused for their keys. */
public final class KeyViolations {
    private static final int COUNT_MAX = 0xffff;

    private KeyViolations() {}

    /**
     * A packet had a partition key that the port does not admit. At a port of an end node, or at port 0 of a switch, the violation is counted in
     * PortInfo and trap 257 is sent; at an external port of a switch trap 259 is. The data path counts the constraint errors.
     */
    public static void onPartitionKey(ManagedPort at, BadPacket packet, long nowNs) {
        if (at.isEnd()) {
            at.partitionViolations = Math.min(at.partitionViolations + 1, COUNT_MAX);
            Notices.badKey(at, Notice.BAD_PARTITION_KEY, packet, nowNs);
        } else {
            Notices.badSwitchKey(at, packet, nowNs);
        }
    }

    /** A packet for a port of an end node had a wrong queue key: the violation is counted and trap 258 is sent. */
    public static void onQueueKey(ManagedPort at, BadPacket packet, long nowNs) {
        at.qkeyViolations = Math.min(at.qkeyViolations + 1, COUNT_MAX);
        Notices.badKey(at, Notice.BAD_QUEUE_KEY, packet, nowNs);
    }
}
