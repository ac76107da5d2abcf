package org.verbena.link.udp.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.link.udp.driver.SocketPath;

/** A destination of a {@link LinuxUdpLink}: its socket address, ready for the system. */
final class LinuxUdpPath extends SocketPath {
    private final MemorySegment address = Arena.ofAuto().allocate(SocketAddressCodec.LENGTH_MAX, 8);
    private final int addressLength;
    private final LinuxSender sender;
    /** Whether its packets need other marks than the socket's defaults. */
    final boolean marked;

    LinuxUdpPath(LinuxUdpLink owner, Endpoint remote, LinuxSender sender, LinkFlow flow) {
        super(owner, remote, flow);
        this.sender = sender;
        this.addressLength = SocketAddressCodec.write(address, 0, remote);
        this.marked = trafficClass != 0 || hopLimit != LinkFlow.HOP_LIMIT;
    }

    @Override
    public Endpoint source() {
        return sender.source();
    }

    @Override
    protected @Nullable Packet claim(int length) {
        return sender.claim(this, length);
    }

    @Override
    protected boolean isMine(Packet packet) {
        return sender.isMine(packet);
    }

    @Override
    protected void commit(int length) {
        sender.commit(this, length);
    }

    boolean ipv6() {
        return remote().ipv6();
    }

    /** Where the socket address is; valid as long as this path is reachable. */
    long address() {
        return address.address();
    }

    int addressLength() {
        return addressLength;
    }
}
