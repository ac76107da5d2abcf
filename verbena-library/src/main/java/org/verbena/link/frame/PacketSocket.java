package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;

/** A packet socket of Linux at one interface, with an offload header in front of each frame, and its messages with the VLAN tags of frames. */
final class PacketSocket {
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int CONTROL_BYTES = 64;
    private static final int NO_TAG = -1;

    private final Libc libc;
    private final int descriptor;
    private final MemorySegment message = Arena.ofAuto().allocate(MSGHDR);
    private final MemorySegment control = Arena.ofAuto().allocate(CONTROL_BYTES, 8);

    private PacketSocket(Libc libc, int descriptor) {
        this.libc = libc;
        this.descriptor = descriptor;
        message.set(JAVA_LONG, MSG_CONTROL, control.address());
    }

    static PacketSocket open(Libc libc, String name, int index) {
        // Protocol 0: nothing is received before the socket is bound to its interface.
        int descriptor = libc.socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (descriptor == -Libc.EPERM || descriptor == -Libc.EACCES) {
            throw new LinkException("a packet socket at interface " + name + " needs CAP_NET_RAW");
        }
        require(descriptor, "packet socket at interface " + name);
        PacketSocket socket = new PacketSocket(libc, descriptor);
        try {
            socket.prepare(name, index);
            return socket;
        } catch (LinkException e) {
            libc.close(descriptor);
            throw e;
        }
    }

    private void prepare(String name, int index) {
        require(libc.setsockopt(descriptor, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1), "PACKET_IGNORE_OUTGOING");
        require(libc.setsockopt(descriptor, SOL_PACKET, PACKET_AUXDATA, 1), "PACKET_AUXDATA");
        require(libc.setsockopt(descriptor, SOL_PACKET, PACKET_VNET_HDR, 1), "PACKET_VNET_HDR");
        if (libc.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES) < 0) {
            libc.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SOCKADDR_LL);
            address.set(JAVA_SHORT, 0, (short) AF_PACKET);
            address.set(SHORT_BIG, 2, (short) ETH_P_ALL);
            address.set(JAVA_INT, 4, index);
            int length = (int) SOCKADDR_LL.byteSize();
            require(libc.bind(descriptor, address.address(), length), "bind to interface " + name);
            MemorySegment membership = arena.allocate(PACKET_MREQ);
            membership.set(JAVA_INT, 0, index);
            membership.set(JAVA_SHORT, 4, (short) PACKET_MR_PROMISC);
            require(
                    libc.setsockopt(descriptor, SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership),
                    "promiscuous mode of interface " + name);
        }
    }

    private static void require(int result, String what) {
        if (result < 0) {
            throw new LinkException(what + " refused by the system: " + Libc.describe(-result));
        }
    }

    int descriptor() {
        return descriptor;
    }

    /** Receives a frame into these vectors; returns its whole length, with its header. */
    long receive(long vectors, int count, boolean exact) {
        message.set(JAVA_LONG, MSG_IOV, vectors);
        message.set(JAVA_LONG, MSG_IOVLEN, count);
        message.set(JAVA_LONG, MSG_CONTROLLEN, CONTROL_BYTES);
        return exact
                ? libc.recvmsgOrError(descriptor, message.address(), MSG_TRUNC)
                : libc.recvmsg(descriptor, message.address(), MSG_TRUNC);
    }

    /** The VLAN tag that the kernel took out of the frame received last, protocol and then the rest; {@value #NO_TAG} if there was none. */
    long tag() {
        if (message.get(JAVA_LONG, MSG_CONTROLLEN) < CMSG_DATA + TPACKET_AUXDATA.byteSize()
                || control.get(JAVA_INT, CMSG_LEVEL) != SOL_PACKET
                || control.get(JAVA_INT, CMSG_TYPE) != PACKET_AUXDATA) {
            return NO_TAG;
        }
        int status = control.get(JAVA_INT, CMSG_DATA + TP_STATUS);
        if ((status & TP_STATUS_VLAN_VALID) == 0) {
            return NO_TAG;
        }
        int protocol = (status & TP_STATUS_VLAN_TPID_VALID) != 0
                ? Short.toUnsignedInt(control.get(JAVA_SHORT, CMSG_DATA + TP_VLAN_TPID))
                : ETH_P_8021Q;
        return (long) protocol << 16 | Short.toUnsignedInt(control.get(JAVA_SHORT, CMSG_DATA + TP_VLAN_TCI));
    }

    /** Sends a frame; false if the kernel does not take it. */
    boolean send(long vectors, int count) {
        if (libc.writev(descriptor, vectors, count) > 0) {
            return true;
        }
        // The first error may tell that the interface was down before, which is told once.
        return libc.writev(descriptor, vectors, count) > 0;
    }
}
