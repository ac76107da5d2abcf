package org.verbena.link.udp.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkCounters;
import org.verbena.link.linux.Libc;

/**
 * Packets on their way to {@code sendmmsg}: one buffer, filled from the start, cut into <em>runs</em>.
 *
 * <p>A run is the content of one message: packets of one path and one length (the last may be shorter), back to back, which the kernel cuts
 * apart again (segmentation offload) and numbers: packet <i>i</i> of a run leaves with IPv4 identification <i>i</i>. Everything the kernel
 * reads is laid out when the batch is made; a flush fills in lengths and addresses.
 */
final class SendBatch {
    private static final int BYTES = 256 * 1024;
    private static final int RUNS_MAX = 64;
    /** Most bytes of an IPv4 datagram; also the kernel's limit for a run. */
    private static final int RUN_BYTES_MAX = 65_507;

    /** Segment length, traffic class and hop limit. */
    private static final int RUN_CONTROL = 3 * CONTROL_SPACE;

    private static final int ALIGNMENT = 64;

    private final ByteBuffer bytes =
            ByteBuffer.allocateDirect(BYTES + ALIGNMENT).alignedSlice(ALIGNMENT).slice(0, BYTES);
    private final MemorySegment segment = MemorySegment.ofBuffer(bytes);
    private final MemorySegment headers = Arena.ofAuto().allocate(MMSGHDR.byteSize() * RUNS_MAX, ALIGNMENT);
    private final MemorySegment vectors = Arena.ofAuto().allocate(IOVEC.byteSize() * RUNS_MAX, ALIGNMENT);
    private final MemorySegment controls = Arena.ofAuto().allocate((long) RUN_CONTROL * RUNS_MAX, ALIGNMENT);

    private final @Nullable LinuxUdpPath[] runPath = new LinuxUdpPath[RUNS_MAX];
    private final int[] runBytes = new int[RUNS_MAX];
    private final int[] runPackets = new int[RUNS_MAX];
    private final int[] runPacketLength = new int[RUNS_MAX];

    private final Libc libc;
    private final LinkCounters counters;
    private boolean segmentation;
    private int firstRun;
    private int runs;
    private int tail;
    private boolean lastRunOpen;
    /** The kernel refused the first run once, by an error that may be about an earlier packet. */
    private boolean refusedOnce;

    private int claimedOffset;
    private boolean claimJoins;

    SendBatch(Libc libc, LinkCounters counters, boolean segmentation) {
        this.libc = libc;
        this.counters = counters;
        this.segmentation = segmentation;
        for (int run = 0; run < RUNS_MAX; run++) {
            layOut(run);
        }
    }

    private void layOut(int run) {
        long header = MMSGHDR.byteSize() * run;
        headers.set(JAVA_LONG, header + MSG_IOV, vectors.address() + IOVEC.byteSize() * run);
        headers.set(JAVA_LONG, header + MSG_IOVLEN, 1);
        headers.set(JAVA_LONG, header + MSG_CONTROL, controls.address() + (long) RUN_CONTROL * run);
    }

    ByteBuffer bytes() {
        return bytes;
    }

    MemorySegment segment() {
        return segment;
    }

    boolean segmentation() {
        return segmentation;
    }

    boolean isEmpty() {
        return firstRun == runs;
    }

    /** Finds room for a packet; false if there is none until something has left. */
    boolean claim(LinuxUdpPath path, int length) {
        claimJoins = joins(path, length);
        if (claimJoins) {
            claimedOffset = tail;
            return true;
        }
        claimedOffset = (tail + ALIGNMENT - 1) & -ALIGNMENT;
        return runs < RUNS_MAX && claimedOffset + length <= BYTES;
    }

    private boolean joins(LinuxUdpPath path, int length) {
        if (!lastRunOpen) {
            return false;
        }
        int run = runs - 1;
        return runPath[run] == path
                && length <= runPacketLength[run]
                && runPackets[run] < LinuxSegmentation.SEGMENTS_MAX
                && runBytes[run] + length <= RUN_BYTES_MAX
                && tail + length <= BYTES;
    }

    int claimedOffset() {
        return claimedOffset;
    }

    int claimedIdentification() {
        return claimJoins ? runPackets[runs - 1] : 0;
    }

    /** The packet found room for last is complete. */
    void commit(LinuxUdpPath path, int length) {
        if (!claimJoins) {
            startRun(path, length);
        }
        int run = runs - 1;
        runBytes[run] += length;
        runPackets[run]++;
        // A shorter packet can only be the last of its run.
        lastRunOpen = segmentation && length == runPacketLength[run];
        tail = claimedOffset + length;
    }

    private void startRun(LinuxUdpPath path, int length) {
        int run = runs++;
        runPath[run] = path;
        runBytes[run] = 0;
        runPackets[run] = 0;
        runPacketLength[run] = length;
        vectors.set(JAVA_LONG, IOVEC.byteSize() * run + IOV_BASE, segment.address() + claimedOffset);
    }

    /** Hands over as many packets as the system takes; returns their number. The rest stays. */
    int flush(int fd) {
        lastRunOpen = false;
        for (int run = firstRun; run < runs; run++) {
            complete(run);
        }
        int packets = 0;
        while (firstRun < runs) {
            int sent = libc.sendmmsg(fd, headers.address() + MMSGHDR.byteSize() * firstRun, runs - firstRun, 0);
            counters.onSendCall();
            if (sent > 0) {
                packets += onSent(sent);
            } else if (mustWait(-sent)) {
                return packets;
            }
        }
        firstRun = 0;
        runs = 0;
        tail = 0;
        return packets;
    }

    private void complete(int run) {
        LinuxUdpPath path = runPath[run];
        if (path == null) {
            return;
        }
        long header = MMSGHDR.byteSize() * run;
        headers.set(JAVA_LONG, header + MSG_NAME, path.address());
        headers.set(JAVA_INT, header + MSG_NAMELEN, path.addressLength());
        headers.set(JAVA_LONG, header + MSG_CONTROLLEN, writeControl(path, run));
        vectors.set(JAVA_LONG, IOVEC.byteSize() * run + IOV_LEN, runBytes[run]);
    }

    /** Writes the control messages of a run; returns their length. */
    private long writeControl(LinuxUdpPath path, int run) {
        long start = (long) RUN_CONTROL * run;
        long at = start;
        if (runPackets[run] > 1) {
            begin(at, Short.BYTES, SOL_UDP, UDP_SEGMENT);
            controls.set(JAVA_SHORT, at + CMSG_DATA, (short) runPacketLength[run]);
            at += CONTROL_SPACE;
        }
        if (path.marked) {
            boolean ipv6 = path.ipv6();
            int level = ipv6 ? IPPROTO_IPV6 : IPPROTO_IP;
            begin(at, Integer.BYTES, level, ipv6 ? IPV6_TCLASS : IP_TOS);
            controls.set(JAVA_INT, at + CMSG_DATA, path.trafficClass);
            at += CONTROL_SPACE;
            begin(at, Integer.BYTES, level, ipv6 ? IPV6_HOPLIMIT : IP_TTL);
            controls.set(JAVA_INT, at + CMSG_DATA, path.hopLimit);
            at += CONTROL_SPACE;
        }
        return at - start;
    }

    private void begin(long at, int length, int level, int type) {
        controls.set(JAVA_LONG, at + CMSG_LEN, CMSG_DATA + length);
        controls.set(JAVA_INT, at + CMSG_LEVEL, level);
        controls.set(JAVA_INT, at + CMSG_TYPE, type);
    }

    private int onSent(int sent) {
        int packets = 0;
        long length = 0;
        for (int run = firstRun; run < firstRun + sent; run++) {
            packets += runPackets[run];
            length += runBytes[run];
        }
        firstRun += sent;
        refusedOnce = false;
        counters.onSent(packets, length);
        return packets;
    }

    /** The kernel refused the first run: true if for now, else the run is given up. */
    private boolean mustWait(int errno) {
        if (errno == Libc.EAGAIN || errno == Libc.ENOBUFS) {
            return true;
        }
        if (errno == Libc.EINTR) {
            return false;
        }
        if (!refusedOnce && isLate(errno)) {
            refusedOnce = true;
            return false;
        }
        refusedOnce = false;
        int packets = runPackets[firstRun++];
        counters.onSendDropped(packets);
        counters.onSendError(LinuxErrors.kind(errno));
        if (packets > 1 && (errno == Libc.EIO || errno == Libc.EINVAL)) {
            // The way out cannot segment: the sender's retries go one by one from now on.
            segmentation = false;
        }
        return false;
    }

    /** Whether the kernel may tell by this error of an earlier packet, to any target. It tells it once; the run has not been tried. */
    private static boolean isLate(int errno) {
        return switch (errno) {
            case Libc.ECONNREFUSED, Libc.EHOSTUNREACH, Libc.ENETUNREACH, Libc.EMSGSIZE, Libc.EACCES -> true;
            default -> false;
        };
    }

    /** Forgets everything. */
    void clear() {
        firstRun = 0;
        runs = 0;
        tail = 0;
        lastRunOpen = false;
        Arrays.fill(runPath, null);
    }
}
