package org.verbena.manage;

import java.lang.foreign.MemorySegment;

/**
 * A port of a fabric for one user of management datagrams, such as a subnet manager or a tool. The datagrams travel as packets: on lane
 * 15 to and from queue pair 0, on the lane of their service level to and from queue pair 1. The thread that drives the fabric calls everything.
 */
public interface MadPort extends AutoCloseable {
    /** The local identifier of the port, as management has set it; 0 before. */
    int lid();

    /** The local identifier of the subnet manager, as management has set it in the port; 0 before. */
    int managerLid();

    /**
     * Sends a datagram. A datagram of the directed class takes its directed route; {@code targetLid} is 0xFFFF or, for a route that begins or ends with
     * local identifiers, the first target. Every datagram that is lost on the way, or whose answer by an agent is lost, is
     * given back by {@link MadReceiver#onLost}.
     *
     * @param mad 256 bytes; copied. Of a directed datagram the hop pointer is 0
     * @param targetLid where it goes to
     * @param targetQueuePair 0 or 1, or the number of another queue pair
     * @param sourceQueuePair 0 or 1
     */
    void send(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair);

    /** Sets or clears the bit IsSM of the port's capability mask. */
    void isManager(boolean manager);

    @Override
    void close();
}
