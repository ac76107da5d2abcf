package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.verbena.link.sleep.RunnerSleeper;

/** A machine with one IPv4 address behind a port: it answers ARP and ping, also behind a VLAN tag. The offsets are those of the standards. */
final class Responder {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final byte[] MAC = {2, 0, 0, 0, 0, 0x55};

    private final FramePort port;
    private final int address;
    private final MemorySegment frame = Arena.ofAuto().allocate(FramePort.FRAME_BYTES_MAX);

    int arpRequests;
    int pings;
    int tagged;
    int lastTag;
    int longest;

    Responder(FramePort port, int address) {
        this.port = port;
        this.address = address;
    }

    /** Answers until the process has ended; returns its exit code. */
    int serve(Process process) throws InterruptedException {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            sleeper.add(port);
            while (process.isAlive()) {
                int length = port.receive(frame, 0, FramePort.FRAME_BYTES_MAX);
                if (length > 0) {
                    answer(length);
                } else {
                    sleeper.sleep(20_000_000);
                }
            }
        }
        return process.waitFor();
    }

    private void answer(int length) {
        longest = Math.max(longest, length);
        int type = 12;
        if (frame.get(SHORT, 12) == (short) 0x8100) {
            tagged++;
            lastTag = Short.toUnsignedInt(frame.get(SHORT, 14));
            type = 16;
        }
        int ip = type + 2;
        int kind = Short.toUnsignedInt(frame.get(SHORT, type));
        if (kind == 0x0806 && frame.get(SHORT, ip + 6) == 1 && frame.get(INT, ip + 24) == address) {
            arpRequests++;
            frame.set(SHORT, ip + 6, (short) 2);
            MemorySegment.copy(frame, ip + 8, frame, ip + 18, 10);
            MemorySegment.copy(MAC, 0, frame, JAVA_BYTE, ip + 8, 6);
            frame.set(INT, ip + 14, address);
            sendBack(length);
        } else if (kind == 0x0800
                && frame.get(INT, ip + 16) == address
                && frame.get(JAVA_BYTE, ip + 9) == 1
                && frame.get(JAVA_BYTE, ip + 20) == 8) {
            pings++;
            int source = frame.get(INT, ip + 12);
            frame.set(INT, ip + 12, address);
            frame.set(INT, ip + 16, source);
            frame.set(JAVA_BYTE, ip + 20, (byte) 0);
            // Type 8 became 0: the checksum grows by 0x0800, with the carry around the end.
            int sum = Short.toUnsignedInt(frame.get(SHORT, ip + 22)) + 0x0800;
            frame.set(SHORT, ip + 22, (short) (sum + (sum >>> 16)));
            sendBack(length);
        }
    }

    private void sendBack(int length) {
        MemorySegment.copy(frame, 6, frame, 0, 6);
        MemorySegment.copy(MAC, 0, frame, JAVA_BYTE, 6, 6);
        if (!port.send(frame, 0, length)) {
            throw new AssertionError(port.counters().toString());
        }
    }
}
