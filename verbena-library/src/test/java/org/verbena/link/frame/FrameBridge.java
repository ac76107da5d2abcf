package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.link.sleep.RunnerSleeper;

/** Passes frames between two ports, both with offloads or both without, in a thread of its own, and looks at them. */
final class FrameBridge implements AutoCloseable {
    private final FramePort left;
    private final FramePort right;
    private final RunnerSleeper sleeper = new RunnerSleeper();
    private final MemorySegment frame = Arena.ofAuto().allocate(FramePort.FRAME_BYTES_MAX);
    private final Thread thread;
    private volatile boolean ended;

    private final AtomicInteger longest = new AtomicInteger();
    private final AtomicInteger large = new AtomicInteger();

    FrameBridge(FramePort left, FramePort right) {
        this.left = left;
        this.right = right;
        sleeper.add(left);
        sleeper.add(right);
        thread = Thread.ofPlatform().daemon().start(this::run);
    }

    private void run() {
        while (!ended) {
            boolean forth = pass(left, right);
            boolean back = pass(right, left);
            if (!forth && !back) {
                sleeper.sleep(20_000_000);
            }
        }
    }

    private boolean pass(FramePort from, FramePort to) {
        int length = from.receive(frame, 0, FramePort.FRAME_BYTES_MAX);
        if (length == 0) {
            return false;
        }
        longest.accumulateAndGet(length, Math::max);
        if (from.offloads() && frame.get(JAVA_BYTE, OffloadHeader.SEGMENTATION) == OffloadHeader.TCP_4) {
            large.incrementAndGet();
        }
        to.send(frame, 0, length);
        return true;
    }

    /** Bytes of the longest frame until now, with its header. */
    int longest() {
        return longest.get();
    }

    /** Frames until now that have to be cut, of TCP over IPv4. */
    int large() {
        return large.get();
    }

    @Override
    public void close() {
        ended = true;
        sleeper.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        left.close();
        right.close();
        sleeper.close();
    }
}
