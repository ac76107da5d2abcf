package org.verbena.tools.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Status;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.Completions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * Keeps messages under way between the two ends and checks each that is complete: reads by their bytes, atomics by the value
 * that they found, which proves that all before were done once. Later reads check the written and sent data.
 */
final class Load {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final Duration NAP = Duration.ofMillis(1);
    private static final long PATIENCE_NS = 15_000_000_000L;

    private final MemoryEnd initiator;
    private final MemoryEnd target;
    private final Cells cells;
    private final Buffers buffers;
    private final MemoryTally tally;
    private final List<Message> messages;
    private final ArrayDeque<Message> idle = new ArrayDeque<>();
    private final Completions batch = new Completions(64);
    private final MemorySegment scratch;
    private boolean broken;

    /** Both of them. */
    record Ends(MemoryEnd initiator, MemoryEnd target) {}

    /** @param length bytes of a message at most */
    Load(Ends ends, Cells cells, Buffers buffers, List<Message> messages, int length, MemoryTally tally) {
        this.initiator = ends.initiator;
        this.target = ends.target;
        this.cells = cells;
        this.buffers = buffers;
        this.messages = messages;
        this.tally = tally;
        this.scratch = Arena.ofAuto().allocate(Buffers.slot(length), 64);
        idle.addAll(messages);
    }

    /** Until there is nothing more to do and all of it is complete, or a queue pair has failed. */
    void run(Work work) throws InterruptedException {
        boolean more = true;
        long heardNs = System.nanoTime();
        while (!broken && (more || idle.size() < messages.size())) {
            while (more && !idle.isEmpty()) {
                more = begin(idle.getFirst(), work);
            }
            if (poll(initiator) + poll(target) > 0) {
                heardNs = System.nanoTime();
            } else if (System.nanoTime() - heardNs > PATIENCE_NS) {
                throw new ToolException((messages.size() - idle.size()) + " messages are under way, and none was done"
                        + " within " + PATIENCE_NS / 1_000_000_000 + " s");
            } else {
                initiator.completions().await(NAP);
            }
        }
    }

    private boolean begin(Message message, Work work) {
        if (!work.next(message)) {
            return false;
        }
        idle.removeFirst();
        message.slot = buffers.take();
        message.lacking = message.operation == MemoryOperation.SEND ? 2 : 1;
        message.postedNs = System.nanoTime();
        QueuePair queuePair = initiator.queuePair(message.connection);
        RemoteMemory there =
                RemoteMemory.of(target.region(cells.area(message.cell))).plus(cells.offset(message.cell));
        LocalSegment here = buffers.segment(message.slot, length(message));
        boolean posted = switch (message.operation) {
            case WRITE -> queuePair.post(new WorkRequest.Write(message.number, stamped(message, here), there));
            case SEND ->
                receive(message) && queuePair.post(new WorkRequest.Send(message.number, stamped(message, here)));
            case READ -> queuePair.post(new WorkRequest.Read(message.number, here, there));
            case ATOMIC ->
                queuePair.post(new WorkRequest.FetchAdd(message.number, here, there, 1, SendOptions.SIGNALLED));
            case MIX -> throw new AssertionError("a message is one operation");
        };
        if (!posted) {
            throw new AssertionError("no room for " + message.operation + " though less than that is under way");
        }
        return true;
    }

    private LocalSegment stamped(Message message, LocalSegment here) {
        cells.stamp(message.cell, cells.version(message.cell) + 1, scratch, 0);
        buffers.write(message.slot, scratch);
        return here;
    }

    /** Sends take receives in order, so the next one posted is for the next message of the same queue pair. */
    private boolean receive(Message message) {
        LocalSegment cell =
                LocalSegment.of(target.region(cells.area(message.cell)), cells.offset(message.cell), length(message));
        return target.queuePair(message.connection).post(new WorkRequest.Receive(message.number, cell));
    }

    private long length(Message message) {
        return message.operation == MemoryOperation.ATOMIC
                ? Long.BYTES
                : (message.cells - 1) * cells.stride() + cells.size();
    }

    private int poll(MemoryEnd end) {
        int count = end.completions().poll(batch);
        for (int i = 0; i < count && !broken; i++) {
            Message message = messages.get((int) batch.id(i));
            if (batch.status(i) != Status.SUCCESS) {
                broken = true;
                tally.fail(message.operation + " of cell " + message.cell + " ended with "
                        + batch.status(i).text() + " (" + batch.get(i).detail() + ")");
            } else if (--message.lacking == 0) {
                end(message);
            }
        }
        return count;
    }

    private void end(Message message) {
        tally.add(message.operation, System.nanoTime() - message.postedNs);
        String wrong = switch (message.operation) {
            case WRITE, SEND -> advance(message);
            case READ -> judgeRead(message);
            case ATOMIC -> judgeAtomic(message);
            case MIX -> throw new AssertionError("a message is one operation");
        };
        if (wrong != null) {
            tally.fail(message.operation + ": " + wrong);
        }
        buffers.give(message.slot);
        cells.give(message.cell);
        idle.addLast(message);
    }

    private @Nullable String advance(Message message) {
        cells.version(message.cell, cells.version(message.cell) + 1);
        return null;
    }

    private @Nullable String judgeRead(Message message) {
        buffers.read(message.slot, scratch.asSlice(0, length(message)));
        for (int i = 0; i < message.cells; i++) {
            String wrong = cells.judge(message.cell + i, scratch, i * cells.stride());
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private @Nullable String judgeAtomic(Message message) {
        buffers.read(message.slot, scratch.asSlice(0, Long.BYTES));
        long found = scratch.get(WORD, 0);
        int expected = cells.version(message.cell);
        cells.version(message.cell, expected + 1);
        return found == expected
                ? null
                : "the counter of cell " + message.cell + " was " + found + ", " + expected + " expected";
    }
}
