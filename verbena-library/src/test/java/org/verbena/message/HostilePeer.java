package org.verbena.message;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.WorkRequest;

/** A peer on bare verbs that sends any frames to a message channel. It gives no credits unless a test says so. */
final class HostilePeer {
    private static final int FRAMES = 120;
    private static final int FRAME_BYTES = 8192 + Frame.LENGTH;

    final QueuePair queuePair;
    private final CompletionQueue completions;
    private final MemorySegment memory = Arena.ofAuto().allocate(2L * FRAMES * FRAME_BYTES);
    private final Region region;
    private int sent;

    HostilePeer(Adapter adapter) {
        ProtectionDomain domain = adapter.createProtectionDomain();
        completions = adapter.createCompletionQueue(2 * FRAMES);
        queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions));
        region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_READ));
    }

    /** Posts its receives; the queue pair is connected. */
    void listen() {
        for (int i = 0; i < FRAMES; i++) {
            assertTrue(queuePair.post(new WorkRequest.Receive(
                    i, LocalSegment.of(region, (long) (FRAMES + i) * FRAME_BYTES, FRAME_BYTES))));
        }
    }

    /** Sends these bytes; a frame is in place, for the test to change. */
    void send(int length, Consumer<MemorySegment> content) {
        long at = (long) sent++ * FRAME_BYTES;
        content.accept(memory.asSlice(at, FRAME_BYTES));
        assertTrue(queuePair.post(new WorkRequest.Send(1000 + sent, LocalSegment.of(region, at, length))));
    }

    /** Sends a frame whose body, of this length, is what the memory holds. */
    void frame(int kind, int flags, int credits, long tag, int bodyLength) {
        send(Frame.LENGTH + bodyLength, frame -> Frame.write(frame, kind, flags, credits, tag));
    }

    void hello(Hello hello) {
        send(Frame.LENGTH + Hello.LENGTH, frame -> {
            Frame.write(frame, Frame.HELLO, 0, 0, 0);
            hello.write(frame, Frame.LENGTH);
        });
    }

    void announce(Announcement announcement) {
        send(Frame.LENGTH + Announcement.LENGTH, frame -> {
            Frame.write(frame, Frame.ANNOUNCE, 0, 0, 0);
            announcement.write(frame, Frame.LENGTH);
        });
    }

    /** An announcement that can be read. */
    Announcement readable(int length, int number) {
        return new Announcement(region.address(), length, region.key(), number);
    }

    /** Waits until all that it has sent has arrived; frames of the channel are dropped. */
    void awaitSent() throws InterruptedException {
        Completion completion;
        do {
            completion = completions.poll(Duration.ofSeconds(60));
            assertNotNull(completion, "the frames do not arrive");
            assertTrue(completion.status().success(), completion::toString);
        } while (completion.id() != 1000 + sent);
    }

    /** Waits for the next frame of the channel that is of this kind. */
    MemorySegment await(int kind) throws InterruptedException {
        while (true) {
            Completion completion = completions.poll(Duration.ofSeconds(60));
            assertNotNull(completion, "no frame of kind " + kind);
            assertTrue(completion.status().success(), completion::toString);
            if (completion.operation() == Operation.RECEIVE) {
                MemorySegment frame = memory.asSlice((FRAMES + completion.id()) * FRAME_BYTES, completion.byteLength());
                if (Frame.kind(frame) == kind) {
                    return frame;
                }
            }
        }
    }
}
