package org.verbena.link.udp.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;
import org.verbena.link.Path;

/** A destination of a {@link LinuxUdpLink}: its socket address, ready for the system. */
final class LinuxUdpPath implements Path {
    private final LinuxUdpLink owner;
    private final Endpoint remote;
    private final Flow flow;
    private final MemorySegment address = Arena.ofAuto().allocate(SocketAddressCodec.LENGTH_MAX, 8);
    private final int addressLength;
    final LinuxSender sender;
    final long high;
    final long low;
    final int port;
    final int trafficClass;
    final int hopLimit;
    /** Whether its packets differ from what the socket sends unless told otherwise. */
    final boolean marked;

    LinuxUdpPath(LinuxUdpLink owner, Endpoint remote, LinuxSender sender, Flow flow) {
        this.owner = owner;
        this.remote = remote;
        this.sender = sender;
        this.flow = flow;
        this.addressLength = SocketAddressCodec.write(address, 0, remote);
        this.high = remote.high();
        this.low = remote.low();
        this.port = remote.port();
        this.trafficClass = flow.trafficClass();
        this.hopLimit = flow.hopLimit();
        this.marked = trafficClass != 0 || hopLimit != Flow.HOP_LIMIT;
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Endpoint source() {
        return sender.source();
    }

    @Override
    public Flow flow() {
        return flow;
    }

    boolean isOf(LinuxUdpLink link) {
        return owner == link;
    }

    boolean ipv6() {
        return remote.ipv6();
    }

    /** Where the socket address is; valid as long as this path is reachable. */
    long address() {
        return address.address();
    }

    int addressLength() {
        return addressLength;
    }
}
