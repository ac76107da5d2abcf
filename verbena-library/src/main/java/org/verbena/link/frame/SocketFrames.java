package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;
import org.verbena.link.udp.linux.SocketAddressCodec;

/** The port of a datagram socket of Linux. One over UDP is connected to its peer; one of Unix names the peer's path in each call, as the peer may come again. */
final class SocketFrames extends DescriptorPort {
    private static final int BUFFER_BYTES = 4 << 20;

    private final MemorySegment incoming = Arena.ofAuto().allocate(MSGHDR);
    private final MemorySegment outgoing = Arena.ofAuto().allocate(MSGHDR);
    private final MemorySegment vector = Arena.ofAuto().allocate(IOVEC);
    /** The path of this end, null over UDP. */
    private final @Nullable UnixPath path;

    /** The path of the peer, null over UDP. */
    private final @Nullable UnixPath remote;

    private int mtu = FrameCableOptions.MTU;

    private SocketFrames(String name, int descriptor, @Nullable UnixPath local, @Nullable UnixPath remote) {
        super(name, descriptor);
        this.path = local;
        this.remote = remote;
        for (MemorySegment message : new MemorySegment[] {incoming, outgoing}) {
            message.set(JAVA_LONG, MSG_IOV, vector.address());
            message.set(JAVA_LONG, MSG_IOVLEN, 1);
        }
        if (remote != null) {
            outgoing.set(JAVA_LONG, MSG_NAME, remote.address());
            outgoing.set(JAVA_INT, MSG_NAMELEN, remote.addressLength());
        }
    }

    static SocketFrames udp(Endpoint local, Endpoint remote) {
        Libc libc = new Libc();
        int descriptor = socket(libc, local.ipv6() ? AF_INET6 : AF_INET, "UDP socket for " + local);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SocketAddressCodec.LENGTH_MAX, 8);
            int length = SocketAddressCodec.write(address, 0, local);
            require(libc.bind(descriptor, address.address(), length), "bind to " + local);
            length = SocketAddressCodec.write(address, 0, remote);
            require(libc.connect(descriptor, address.address(), length), "connection to " + remote);
            return new SocketFrames("udp " + local + " to " + remote, descriptor, null, null);
        } catch (LinkException e) {
            libc.close(descriptor);
            throw e;
        }
    }

    static SocketFrames unix(Path local, Path remote) {
        Libc libc = new Libc();
        UnixPath from = new UnixPath(local);
        UnixPath to = new UnixPath(remote);
        int descriptor = socket(libc, AF_UNIX, "datagram socket for " + local);
        try {
            from.bind(libc, descriptor);
            return new SocketFrames("unix " + local + " to " + remote, descriptor, from, to);
        } catch (LinkException e) {
            libc.close(descriptor);
            throw e;
        }
    }

    private static int socket(Libc libc, int family, String what) {
        int descriptor = libc.socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        require(descriptor, what);
        if (libc.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES) < 0) {
            libc.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES);
        }
        if (libc.setsockopt(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, BUFFER_BYTES) < 0) {
            libc.setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES);
        }
        return descriptor;
    }

    static void require(int result, String what) {
        if (result < 0) {
            throw new LinkException(what + " refused by the system: " + Libc.describe(-result));
        }
    }

    private void point(MemorySegment segment, long offset, int length) {
        vector.set(JAVA_LONG, IOV_BASE, segment.address() + offset);
        vector.set(JAVA_LONG, IOV_LEN, length);
    }

    @Override
    long read(MemorySegment into, long offset, int room, boolean exact) {
        point(into, offset, room);
        return exact
                ? libc.recvmsgOrError(descriptor, incoming.address(), MSG_TRUNC)
                : libc.recvmsg(descriptor, incoming.address(), MSG_TRUNC);
    }

    @Override
    boolean write(MemorySegment from, long offset, int length) {
        point(from, offset, length);
        if (libc.sendmsg(descriptor, outgoing.address(), 0) > 0) {
            return true;
        }
        // Over UDP the first error may be that of an earlier frame, which is told once.
        return remote == null && libc.sendmsg(descriptor, outgoing.address(), 0) > 0;
    }

    @Override
    public boolean canOffload() {
        return false;
    }

    @Override
    void switchOffloads(boolean on) {}

    @Override
    boolean looksUp() {
        return true;
    }

    @Override
    public void carrier(boolean up) {}

    @Override
    public long macAddress() {
        return 0;
    }

    @Override
    public void macAddress(long bits) {}

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public void mtu(int bytes) {
        FrameCableOptions.checkMtu(bytes);
        mtu = bytes;
    }

    @Override
    void release() {
        if (path != null) {
            path.remove();
        }
    }
}
