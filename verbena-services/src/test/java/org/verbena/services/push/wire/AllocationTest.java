package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Messages that go with data are written, judged and read without an allocation. */
final class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 40_000;
    private static final int ATTEMPTS = 12;
    /** What a compilation or a class loaded late may cost in all, far below one byte a message. */
    private static final long SLACK = 16_000;

    private static final int VERSION = 1;

    private final MemorySegment memory = Arena.ofAuto().allocate(4096);
    private final UpdateBuilder builder = new UpdateBuilder();

    private static void allocatesNothing(IntUnaryOperator round) {
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && best >= SLACK; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                assertEquals(i, round.applyAsInt(i));
            }
            best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        long allocated = best;
        assertTrue(allocated < SLACK, () -> allocated + " bytes in " + ROUNDS + " messages");
    }

    @Test
    void updates() {
        allocatesNothing(i -> {
            builder.begin(memory, 3, 1000, VERSION, i);
            for (int element = 0; element < 20; element++) {
                assertTrue(builder.add(element / 7, i + element));
            }
            int length = builder.length();
            assertNull(Messages.judge(memory, 3, length, VERSION));
            int lowest = Integer.MAX_VALUE;
            for (long part = BufferRecvPoolUpdate.firstPart(3);
                    part < 3 + length;
                    part = BufferRecvPoolUpdate.nextPart(memory, part)) {
                for (int j = 0; j < BufferRecvPoolUpdate.count(memory, part); j++) {
                    lowest = Math.min(lowest, BufferRecvPoolUpdate.element(memory, part, j));
                }
            }
            return lowest;
        });
    }

    @Test
    void indications() {
        allocatesNothing(i -> {
            BufferRdmaIndicate.write(memory, 5, VERSION, 0);
            BufferRdmaIndicate.writeTransfer(memory, 5, 0, 300, i, 1 << 20);
            BufferRdmaIndicate.writeTransfer(memory, 5, 1, 301, 0, 1);
            assertNull(Messages.judge(memory, 5, BufferRdmaIndicate.messageLength(2), VERSION));
            return BufferRdmaIndicate.element(memory, 5, 0);
        });
    }

    @Test
    void dataInMessages() {
        allocatesNothing(i -> {
            SendData.write(memory, 0, VERSION, i, 64);
            assertNull(Messages.judge(memory, 0, SendData.messageLength(64), VERSION));
            return (int) MessageHeader.context(memory, 0);
        });
    }

    @Test
    void refusals() {
        allocatesNothing(i -> {
            SendData.write(memory, 0, VERSION, i, 64);
            assertEquals(Refusal.BAD_LENGTH, Messages.judge(memory, 0, 20, VERSION));
            return (int) MessageHeader.context(memory, 0);
        });
    }
}
