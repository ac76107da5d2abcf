package org.verbena.link;

/**
 * The headers and check sums that stand around the packets of a link on the wire. The adapter chooses by it how a packet is sealed and
 * checked, as a check sum covers headers that the link, not the adapter, writes.
 */
public enum Framing {
    /**
     * UDP over IPv4 or IPv6, as RoCEv2 has it: addresses are {@linkplain Endpoint IP ones}, and the invariant CRC at the end of a packet
     * covers the IP and UDP headers before it, without the fields that routers change.
     */
    ROCE_V2,

    /**
     * Local and, where needed, global route header, as InfiniBand has it: addresses are GIDs, in the form of {@linkplain Endpoint IPv6
     * addresses}. The route headers stand in the same memory in front of a packet ({@link Packet#routeLength()}). The invariant CRC at the end
     * of a packet covers them, without the fields that switches and routers change. The fabric adds the variant CRC behind it.
     */
    INFINIBAND
}
