package org.verbena.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.verbena.link.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Packets as {@code recvmmsg} left them: a few messages, each of one datagram or of many that arrived as one (receive offload), cut into
 * packets one at a time. What a limited receive leaves over is delivered by the next.
 */
final class ReceiveBatch {
    private static final int MESSAGES_MAX = 16;
    private static final int MESSAGE_BYTES = 65_536;
    private static final int ALIGNMENT = 64;
    /** Not a power of two, so that the starts of messages do not compete for the same cache lines. */
    private static final int STRIDE = MESSAGE_BYTES + 5 * ALIGNMENT;

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(STRIDE * MESSAGES_MAX + ALIGNMENT).alignedSlice(ALIGNMENT);
    private final MemorySegment segment = MemorySegment.ofBuffer(bytes);
    private final MemorySegment headers = Arena.ofAuto().allocate(MMSGHDR.byteSize() * MESSAGES_MAX, ALIGNMENT);
    private final MemorySegment vectors = Arena.ofAuto().allocate(IOVEC.byteSize() * MESSAGES_MAX, ALIGNMENT);
    private final MemorySegment controls = Arena.ofAuto().allocate((long) CONTROL_SPACE * MESSAGES_MAX, ALIGNMENT);
    private final MemorySegment names =
            Arena.ofAuto().allocate((long) SocketAddressCodec.LENGTH_MAX * MESSAGES_MAX, ALIGNMENT);

    private final Libc libc;
    private final LinkCounters counters;
    private final Packet packet = new Packet();

    /** Messages to ask for: one while they trickle in, as asking for a second costs; many when they come in crowds. */
    private int wanted = 1;

    private int messages;
    private int message;
    private int at;
    private int end;
    private int packetLength;
    private int index;

    ReceiveBatch(Libc libc, LinkCounters counters, Endpoint local) {
        this.libc = libc;
        this.counters = counters;
        packet.in(segment, bytes).to(local.high(), local.low(), local.port());
        for (int i = 0; i < MESSAGES_MAX; i++) {
            layOut(i);
        }
    }

    private void layOut(int i) {
        long header = MMSGHDR.byteSize() * i;
        headers.set(JAVA_LONG, header + MSG_NAME, names.address() + (long) SocketAddressCodec.LENGTH_MAX * i);
        headers.set(JAVA_LONG, header + MSG_IOV, vectors.address() + IOVEC.byteSize() * i);
        headers.set(JAVA_LONG, header + MSG_IOVLEN, 1);
        headers.set(JAVA_LONG, header + MSG_CONTROL, controls.address() + (long) CONTROL_SPACE * i);
        vectors.set(JAVA_LONG, IOVEC.byteSize() * i + IOV_BASE, segment.address() + (long) STRIDE * i);
        vectors.set(JAVA_LONG, IOVEC.byteSize() * i + IOV_LEN, MESSAGE_BYTES);
        makeReady(i);
    }

    /** Resets what the kernel overwrites. */
    private void makeReady(int i) {
        long header = MMSGHDR.byteSize() * i;
        headers.set(JAVA_INT, header + MSG_NAMELEN, SocketAddressCodec.LENGTH_MAX);
        headers.set(JAVA_LONG, header + MSG_CONTROLLEN, CONTROL_SPACE);
    }

    /** Whether packets wait that need no system call. */
    boolean hasRest() {
        return at < end || message < messages;
    }

    /** Delivers up to {@code limit} packets, asking the system at most once. */
    int receive(int fd, PacketHandler handler, int limit) {
        if (!hasRest()) {
            refill(fd);
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

    private void refill(int fd) {
        int received = libc.recvmmsg(fd, headers.address(), wanted, MSG_DONTWAIT);
        counters.onReceiveCall();
        messages = Math.max(received, 0);
        message = 0;
        wanted = messages == wanted ? Math.min(wanted * 2, MESSAGES_MAX) : Math.max(messages, 1);
    }

    /** Moves on to the next message with a packet in it; false if there is none. */
    private boolean nextMessage() {
        while (message < messages) {
            int i = message++;
            long header = MMSGHDR.byteSize() * i;
            int length = headers.get(JAVA_INT, header + MSG_LEN);
            boolean whole = (headers.get(JAVA_INT, header + MSG_FLAGS) & MSG_TRUNC) == 0;
            packetLength = packetLength(i, header, length);
            makeReady(i);
            if (whole && packetLength > 0 && packetLength <= Packet.LENGTH_MAX) {
                at = STRIDE * i;
                end = at + length;
                index = 0;
                SocketAddressCodec.readSource(names, (long) SocketAddressCodec.LENGTH_MAX * i, packet);
                return true;
            }
            counters.onReceiveDropped(1);
        }
        return false;
    }

    /** The length of all packets of a message but the last: what the kernel says, else the message is one packet. */
    private int packetLength(int i, long header, int length) {
        long control = (long) CONTROL_SPACE * i;
        boolean told = headers.get(JAVA_LONG, header + MSG_CONTROLLEN) >= CMSG_DATA + Integer.BYTES
                && controls.get(JAVA_INT, control + CMSG_LEVEL) == SOL_UDP
                && controls.get(JAVA_INT, control + CMSG_TYPE) == UDP_GRO;
        return told ? controls.get(JAVA_INT, control + CMSG_DATA) : length;
    }

    private int deliver(PacketHandler handler) {
        int length = Math.min(packetLength, end - at);
        packet.at(at, length, index++);
        at += length;
        handler.onPacket(packet);
        return length;
    }
}
