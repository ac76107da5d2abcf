package org.verbena.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A destination of a {@link LinuxUdpLink}: its socket address, ready for the system. */
final class LinuxUdpPath implements Path {
    private final LinuxUdpLink owner;
    private final Endpoint remote;
    private final Endpoint source;
    private final Flow flow;
    private final MemorySegment address = Arena.ofAuto().allocate(SocketAddressCodec.LENGTH_MAX, 8);
    private final int addressLength;
    final long high;
    final long low;
    final int port;

    LinuxUdpPath(LinuxUdpLink owner, Endpoint remote, Endpoint source, Flow flow) {
        this.owner = owner;
        this.remote = remote;
        this.source = source;
        this.flow = flow;
        this.addressLength = SocketAddressCodec.write(address, 0, remote);
        this.high = remote.high();
        this.low = remote.low();
        this.port = remote.port();
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Endpoint source() {
        return source;
    }

    @Override
    public Flow flow() {
        return flow;
    }

    boolean isOf(LinuxUdpLink link) {
        return owner == link;
    }

    /** Where the socket address is; valid as long as this path is reachable. */
    long address() {
        return address.address();
    }

    int addressLength() {
        return addressLength;
    }
}
