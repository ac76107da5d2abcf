package org.verbena.link.udp.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;

/**
 * The number of datagrams that this kernel cuts from one buffer: 64 in older kernels, 128 in newer ones. The kernel refuses a larger buffer
 * only when the buffer is sent, too late to cut the packets otherwise. So the class tries once, with a buffer that a socket sends to itself.
 */
final class LinuxSegmentation {
    private static final int SEGMENTS_SURE = 64;
    private static final int SEGMENTS_WANTED = 128;
    private static final int BUFFER_BYTES = 1 << 16;

    /** Most packets of one run. */
    static final int SEGMENTS_MAX = ask() ? SEGMENTS_WANTED : SEGMENTS_SURE;

    private LinuxSegmentation() {}

    private static boolean ask() {
        try {
            Libc libc = new Libc();
            LinuxSocket socket = LinuxSocket.receiver(libc, Endpoint.of("127.0.0.1", 0), BUFFER_BYTES);
            try {
                return libc.setsockopt(socket.fd(), SOL_UDP, UDP_SEGMENT, 1) >= 0 && sends(libc, socket);
            } finally {
                socket.close();
            }
        } catch (LinkException e) {
            return false; // no loopback interface, no IPv4
        }
    }

    private static boolean sends(Libc libc, LinuxSocket socket) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(MMSGHDR);
            MemorySegment vector = arena.allocate(IOVEC);
            MemorySegment name = arena.allocate(SocketAddressCodec.LENGTH_MAX, Long.BYTES);
            vector.set(JAVA_LONG, IOV_BASE, arena.allocate(SEGMENTS_WANTED).address());
            vector.set(JAVA_LONG, IOV_LEN, SEGMENTS_WANTED);
            header.set(JAVA_LONG, MSG_NAME, name.address());
            header.set(JAVA_INT, MSG_NAMELEN, SocketAddressCodec.write(name, 0, socket.local()));
            header.set(JAVA_LONG, MSG_IOV, vector.address());
            header.set(JAVA_LONG, MSG_IOVLEN, 1);
            return libc.sendmmsg(socket.fd(), header.address(), 1, 0) == 1;
        }
    }
}
