package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import org.verbena.Gid;
import org.verbena.link.Endpoint;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;

/**
 * The first {@value #LENGTH} bytes of a receive that took a datagram: the network header that the datagram came with. An IPv6
 * header fills them; an IPv4 header stands in the last 20, as in Linux.
 *
 * @param source identifier of the port that sent it
 * @param target identifier that it was sent to: that of the port, or of a group
 * @param trafficClass with the marks of the network
 * @param hopLimit left when it arrived
 */
public record DatagramHeader(Gid source, Gid target, int trafficClass, int hopLimit) {
    /** Bytes before the message. */
    public static final int LENGTH = Grh.LENGTH;

    private static final int IPV4_AT = LENGTH - Ipv4.LENGTH;
    private static final long MAPPED = 0xffffL << 32;
    private static final long LOW_32 = 0xffff_ffffL;

    /**
     * Reads the header.
     *
     * @param memory that a receive took the datagram into
     * @param at offset of the receive's first byte
     * @throws IndexOutOfBoundsException if the memory ends before the header
     */
    public static DatagramHeader read(MemorySegment memory, long at) {
        if (Ipv6.version(memory, at) == 6) {
            Ipv6 ip = Ipv6.read(memory, at);
            return new DatagramHeader(
                    new Gid(ip.sourceHigh(), ip.sourceLow()),
                    new Gid(ip.targetHigh(), ip.targetLow()),
                    ip.trafficClass(),
                    ip.hopLimit());
        }
        Ipv4 ip = Ipv4.read(memory, at + IPV4_AT);
        return new DatagramHeader(
                new Gid(0, MAPPED | (ip.source() & LOW_32)),
                new Gid(0, MAPPED | (ip.target() & LOW_32)),
                ip.trafficClass(),
                ip.timeToLive());
    }

    /** The sender's address with the UDP port of RoCEv2: the endpoint of an {@link AddressHandle} for an answer. */
    public Endpoint answerTo() {
        return new Endpoint(source.address(), Endpoint.ROCE_PORT);
    }
}
