package org.verbena.link.udp.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.linux.Libc;

/**
 * Reads what the network has told about packets that a socket sent: the socket's error queue. An ICMP message that no socket receives
 * at the target's port is a refusal; all others are dropped. Made once per link: its memory is reused.
 */
final class LinuxRefusals {
    /** Bytes of the control message: its header, the extended error, and the address of the machine that told it. */
    private static final int CONTROL = 256;
    /** Errors read in a call at most: a queue that fills as fast as it is read must not keep the thread. */
    private static final int READS_MAX = 64;

    /** Offset of the error number in {@code struct sock_extended_err}. */
    private static final long ERROR_NUMBER = 0;
    /** Offset of the error's origin in {@code struct sock_extended_err}. */
    private static final long ORIGIN = 4;

    private static final int ORIGIN_ICMP = 2;
    private static final int ORIGIN_ICMP6 = 3;

    private final Libc libc;
    private final MemorySegment header = Arena.ofAuto().allocate(MMSGHDR.byteSize(), 8);
    private final MemorySegment vector = Arena.ofAuto().allocate(IOVEC.byteSize(), 8);
    private final MemorySegment rest = Arena.ofAuto().allocate(64, 8);
    private final MemorySegment target = Arena.ofAuto().allocate(SocketAddressCodec.LENGTH_MAX, 8);
    private final MemorySegment control = Arena.ofAuto().allocate(CONTROL, 8);

    LinuxRefusals(Libc libc) {
        this.libc = libc;
        vector.set(JAVA_LONG, IOV_BASE, rest.address());
        vector.set(JAVA_LONG, IOV_LEN, rest.byteSize());
        header.set(JAVA_LONG, MSG_IOV, vector.address());
        header.set(JAVA_LONG, MSG_IOVLEN, 1);
        header.set(JAVA_LONG, MSG_NAME, target.address());
        header.set(JAVA_LONG, MSG_CONTROL, control.address());
    }

    /** The target of a packet of this socket that was refused; null if the queue has no more. */
    @Nullable
    Endpoint take(int fd) {
        for (int i = 0; i < READS_MAX; i++) {
            header.set(JAVA_INT, MSG_NAMELEN, SocketAddressCodec.LENGTH_MAX);
            header.set(JAVA_LONG, MSG_CONTROLLEN, CONTROL);
            header.set(JAVA_INT, MSG_FLAGS, 0);
            if (libc.recvmmsgOrError(fd, header.address(), 1, MSG_ERRQUEUE | MSG_DONTWAIT) <= 0) {
                return null;
            }
            if (isRefusal()) {
                return SocketAddressCodec.read(target, 0);
            }
        }
        return null;
    }

    private boolean isRefusal() {
        if (header.get(JAVA_LONG, MSG_CONTROLLEN) < CMSG_DATA + ORIGIN + 1 || header.get(JAVA_INT, MSG_NAMELEN) == 0) {
            return false;
        }
        int level = control.get(JAVA_INT, CMSG_LEVEL);
        int type = control.get(JAVA_INT, CMSG_TYPE);
        boolean extended =
                (level == IPPROTO_IP && type == IP_RECVERR) || (level == IPPROTO_IPV6 && type == IPV6_RECVERR);
        int origin = control.get(JAVA_BYTE, CMSG_DATA + ORIGIN);
        return extended
                && (origin == ORIGIN_ICMP || origin == ORIGIN_ICMP6)
                && control.get(JAVA_INT, CMSG_DATA + ERROR_NUMBER) == Libc.ECONNREFUSED;
    }
}
