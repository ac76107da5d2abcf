package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.link.sleep.RunnerSleeper;

/** Two ports that reach each other, each with a sleeper, and the small steps that tests are made of. */
final class FramePair implements AutoCloseable {
    /** An EtherType for experiments: no kernel answers to it. */
    private static final int EXPERIMENT = 0x88b5;

    private static final int ROUNDS_MAX = 2_000;
    private static final long ROUND_NS = 1_000_000;

    final FramePort left;
    final FramePort right;
    final RunnerSleeper atLeft = new RunnerSleeper();
    final RunnerSleeper atRight = new RunnerSleeper();
    private final MemorySegment memory = Arena.ofAuto().allocate(2L * FramePort.FRAME_BYTES_MAX, 8);

    FramePair(FramePort left, FramePort right) {
        this.left = left;
        this.right = right;
        atLeft.add(left);
        atRight.add(right);
    }

    /** A frame that differs from others: broadcast, of this number of bytes, with a number behind its header if it is long enough. */
    static byte[] frame(int number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i < 6 ? 0xff : i < 12 ? 0x02 : number + i * 7);
        }
        bytes[12] = (byte) (EXPERIMENT >>> 8);
        bytes[13] = (byte) EXPERIMENT;
        for (int i = 14; i < Math.min(length, 18); i++) {
            bytes[i] = (byte) (number >>> (8 * (i - 14)));
        }
        return bytes;
    }

    /** The same behind the header of a complete frame. */
    static byte[] headed(byte[] frame) {
        byte[] bytes = new byte[FramePort.OFFLOAD_HEADER_BYTES + frame.length];
        System.arraycopy(frame, 0, bytes, FramePort.OFFLOAD_HEADER_BYTES, frame.length);
        return bytes;
    }

    boolean send(FramePort port, byte[] frame) {
        MemorySegment.copy(frame, 0, memory, JAVA_BYTE, 3, frame.length);
        return port.send(memory, 3, frame.length);
    }

    /** Takes one frame; null if none comes for a while. */
    byte @Nullable [] receive(FramePort port) {
        return receive(port, FramePort.FRAME_BYTES_MAX);
    }

    byte @Nullable [] receive(FramePort port, int room) {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            int length = port.receive(memory, 5, room);
            if (length > 0) {
                return memory.asSlice(5, length).toArray(JAVA_BYTE);
            }
            sleeper(port).sleep(ROUND_NS);
        }
        return null;
    }

    /** Asks for frames until the condition holds; fails if it never does. */
    void receiveUntil(FramePort port, int room, java.util.function.BooleanSupplier done) {
        for (int round = 0; round < ROUNDS_MAX && !done.getAsBoolean(); round++) {
            assertEquals(0, port.receive(memory, 5, room));
            sleeper(port).sleep(ROUND_NS);
        }
        assertEquals(true, done.getAsBoolean(), () -> port.counters().toString());
    }

    RunnerSleeper sleeper(FramePort port) {
        return port.equals(left) ? atLeft : atRight;
    }

    @Override
    public void close() {
        left.close();
        right.close();
        atLeft.close();
        atRight.close();
    }
}
