package org.verbena.link.udp.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.linux.Libc;

/**
 * Packets as {@code recvmmsg} left them: a few messages, each of one datagram or of many that arrived as one (receive offload), cut into
 * packets one at a time. The next receive delivers the packets that the limit of a receive leaves over.
 */
final class ReceiveBatch {
    private static final int MESSAGES_MAX = 16;
    private static final int MESSAGE_BYTES = 65_536;
    private static final int ALIGNMENT = 64;
    /** Not a power of two, so that the starts of messages do not compete for the same cache lines. */
    private static final int STRIDE = MESSAGE_BYTES + 5 * ALIGNMENT;

    /** Packet length, traffic class, hop limit, dropped datagrams; and room for one unexpected message. */
    private static final int CONTROLS = 5 * CONTROL_SPACE;

    /** Number of empty receives in a row after which the socket is asked for an error: seldom, because that may allocate. */
    private static final int NOTHING_MAX = 1 << 20;

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(STRIDE * MESSAGES_MAX + ALIGNMENT).alignedSlice(ALIGNMENT);
    private final MemorySegment segment = MemorySegment.ofBuffer(bytes);
    private final MemorySegment headers = Arena.ofAuto().allocate(MMSGHDR.byteSize() * MESSAGES_MAX, ALIGNMENT);
    private final MemorySegment vectors = Arena.ofAuto().allocate(IOVEC.byteSize() * MESSAGES_MAX, ALIGNMENT);
    private final MemorySegment controls = Arena.ofAuto().allocate((long) CONTROLS * MESSAGES_MAX, ALIGNMENT);
    private final MemorySegment names =
            Arena.ofAuto().allocate((long) SocketAddressCodec.LENGTH_MAX * MESSAGES_MAX, ALIGNMENT);

    private final Libc libc;
    private final LinkCounters counters;
    private final Packet packet = new Packet();

    private int messages;
    private int message;
    private int at;
    private int end;
    private int packetLength;
    private int index;
    private int trafficClass;
    private int hopLimit;

    /** Index of the receiver that was asked last. */
    private int turn;

    private @Nullable LinuxReceiver source;

    ReceiveBatch(Libc libc, LinkCounters counters) {
        this.libc = libc;
        this.counters = counters;
        packet.in(segment, bytes);
        for (int i = 0; i < MESSAGES_MAX; i++) {
            layOut(i);
        }
    }

    private void layOut(int i) {
        long header = MMSGHDR.byteSize() * i;
        headers.set(JAVA_LONG, header + MSG_NAME, names.address() + (long) SocketAddressCodec.LENGTH_MAX * i);
        headers.set(JAVA_LONG, header + MSG_IOV, vectors.address() + IOVEC.byteSize() * i);
        headers.set(JAVA_LONG, header + MSG_IOVLEN, 1);
        headers.set(JAVA_LONG, header + MSG_CONTROL, controls.address() + (long) CONTROLS * i);
        vectors.set(JAVA_LONG, IOVEC.byteSize() * i + IOV_BASE, segment.address() + (long) STRIDE * i);
        vectors.set(JAVA_LONG, IOVEC.byteSize() * i + IOV_LEN, MESSAGE_BYTES);
        makeReady(i);
    }

    /** Resets the fields that the kernel overwrites. */
    private void makeReady(int i) {
        long header = MMSGHDR.byteSize() * i;
        headers.set(JAVA_INT, header + MSG_NAMELEN, SocketAddressCodec.LENGTH_MAX);
        headers.set(JAVA_LONG, header + MSG_CONTROLLEN, CONTROLS);
    }

    /** Whether packets wait that need no system call. */
    boolean hasRest() {
        return at < end || message < messages;
    }

    /** Delivers up to {@code limit} packets, asking the system at most once per receiver, until one has something. */
    int receive(LinuxReceiver[] receivers, PacketHandler handler, int limit) {
        for (int asked = 0; asked < receivers.length && !hasRest(); asked++) {
            turn = turn + 1 < receivers.length ? turn + 1 : 0;
            refill(receivers[turn]);
        }
        int packets = 0;
        long length = 0;
        while (packets < limit && (at < end || nextMessage())) {
            length += deliver(handler);
            packets++;
        }
        if (packets > 0) {
            counters.onReceived(packets, length);
        }
        return packets;
    }

    private void refill(LinuxReceiver from) {
        int wanted = from.wanted;
        int received = libc.recvmmsg(from.fd(), headers.address(), wanted, MSG_DONTWAIT);
        counters.onReceiveCall();
        if (received < 0 && (from.promised || ++from.nothing >= NOTHING_MAX)) {
            received = askAgain(from);
        }
        from.promised = false;
        messages = Math.max(received, 0);
        message = 0;
        from.wanted = messages == wanted ? Math.min(wanted * 2, MESSAGES_MAX) : Math.max(messages, 1);
        if (messages > 0) {
            from.nothing = 0;
            source = from;
            packet.to(from.high, from.low, from.port);
        }
    }

    /** Looks whether there is an error where something was to be expected. */
    private int askAgain(LinuxReceiver from) {
        from.nothing = 0;
        int received = libc.recvmmsgOrError(from.fd(), headers.address(), from.wanted, MSG_DONTWAIT);
        counters.onReceiveCall();
        if (received < 0 && received != -Libc.EAGAIN && received != -Libc.EINTR) {
            counters.onReceiveError(LinuxErrors.kind(-received));
        }
        return received;
    }

    /** Drops the packets of this receiver that were not delivered yet. */
    void forget(LinuxReceiver from) {
        if (source == from) {
            at = end;
            message = messages;
            source = null;
        }
    }

    /** Moves on to the next message with a packet in it; false if there is none. */
    private boolean nextMessage() {
        while (message < messages) {
            int i = message++;
            long header = MMSGHDR.byteSize() * i;
            int length = headers.get(JAVA_INT, header + MSG_LEN);
            boolean whole = (headers.get(JAVA_INT, header + MSG_FLAGS) & MSG_TRUNC) == 0;
            packetLength = length;
            readControls((long) CONTROLS * i, headers.get(JAVA_LONG, header + MSG_CONTROLLEN));
            makeReady(i);
            if (whole && packetLength > 0 && packetLength <= Packet.LENGTH_MAX) {
                at = STRIDE * i;
                end = at + length;
                index = 0;
                packet.marked(trafficClass, hopLimit);
                SocketAddressCodec.readSource(names, (long) SocketAddressCodec.LENGTH_MAX * i, packet);
                return true;
            }
            counters.onReceiveDropped(1);
        }
        return false;
    }

    /**
     * Reads the control messages of a message: the length of all its packets but the last, if it has several, and the marks of their IP
     * headers. The kernel joins only packets with the same traffic class and hop limit.
     */
    private void readControls(long start, long length) {
        trafficClass = 0;
        hopLimit = LinkFlow.HOP_LIMIT;
        for (long control = start; control - start + CMSG_DATA < length; ) {
            readControl(
                    control, controls.get(JAVA_INT, control + CMSG_LEVEL), controls.get(JAVA_INT, control + CMSG_TYPE));
            control += Math.max((controls.get(JAVA_LONG, control + CMSG_LEN) + 7) & -8, CMSG_DATA);
        }
    }

    private void readControl(long control, int level, int type) {
        if (level == SOL_UDP && type == UDP_GRO) {
            packetLength = controls.get(JAVA_INT, control + CMSG_DATA);
        } else if (level == IPPROTO_IP && type == IP_TOS) {
            trafficClass = Byte.toUnsignedInt(controls.get(JAVA_BYTE, control + CMSG_DATA));
        } else if ((level == IPPROTO_IP && type == IP_TTL) || (level == IPPROTO_IPV6 && type == IPV6_HOPLIMIT)) {
            hopLimit = controls.get(JAVA_INT, control + CMSG_DATA);
        } else if (level == IPPROTO_IPV6 && type == IPV6_TCLASS) {
            trafficClass = controls.get(JAVA_INT, control + CMSG_DATA);
        } else if (level == SOL_SOCKET && type == SO_RXQ_OVFL) {
            onOverrun(controls.get(JAVA_INT, control + CMSG_DATA));
        }
    }

    /** The kernel tells how many it has thrown away since the socket was opened, modulo 2^32. */
    private void onOverrun(int total) {
        LinuxReceiver from = source;
        if (from != null && total - from.overrun > 0) {
            counters.onOverrun(total - from.overrun);
            from.overrun = total;
        }
    }

    private int deliver(PacketHandler handler) {
        int length = Math.min(packetLength, end - at);
        packet.at(at, length, index++);
        at += length;
        handler.onPacket(packet);
        return length;
    }
}
