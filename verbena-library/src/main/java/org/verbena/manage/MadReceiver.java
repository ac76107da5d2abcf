package org.verbena.manage;

import java.lang.foreign.MemorySegment;

/** Takes management datagrams that arrive at a port and that no agent of the node serves. Must not throw for any content. */
public interface MadReceiver {
    /**
     * A datagram arrived.
     *
     * @param mad its 256 bytes, valid until this returns. Of a directed datagram the hop pointer is 0
     * @param sourceLid the port that sent it; 0xFFFF for a directed route
     * @param targetLid the identifier it was sent to
     * @return whether this receiver takes it; if not, the next receiver at the port is asked
     */
    boolean onMad(
            long nowNs, MemorySegment mad, int sourceLid, int targetLid, int sourceQueuePair, int targetQueuePair);

    /**
     * A datagram that this receiver's port sent is lost, or the agent's answer to it is: no way, no listener, a port in the wrong state, or a fault.
     *
     * @param mad the datagram as it was sent, or the answer: see its method
     * @param targetLid the identifier the request was sent to
     */
    void onLost(long nowNs, MemorySegment mad, int targetLid);
}
