package org.verbena.interop.exercise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.verbena.Status;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * Many messages with {@value #DEPTH} of them under way. Message i is in slot i mod {@value #DEPTH}, begins with its number
 * and goes on as a block with the sender's seed plus 7 i.
 */
final class Loads {
    static final int DEPTH = 32;
    static final int SLOT = 4096;
    /** Each message with a number that this divides is swapped out when it is posted, where memory is paged. */
    private static final int SWAPPED_OUT_EVERY = 8;

    private static final long FIRST_RECEIVE = 1000;

    private Loads() {}

    private static long slot(long message) {
        return message % DEPTH * SLOT;
    }

    static void number(ExerciseEnd end, long offset, int size, int seed, long message) {
        end.fill(offset, size, (int) (seed + 7 * message));
        if (size >= 4) {
            end.word(offset, (int) message);
        }
    }

    static void numbered(ExerciseEnd end, long offset, int size, int seed, long message, String what) {
        if (size >= 4) {
            assertEquals((int) message, end.word(offset), what);
        }
        byte[] found = end.bytes(offset, size);
        for (int i = size >= 4 ? 4 : 0; i < size; i++) {
            if (found[i] != ExerciseEnd.at((int) (seed + 7 * message), i)) {
                throw new AssertionError(what + " " + message + ": byte " + i + " of " + size + " is wrong");
            }
        }
    }

    /** The eviction policy would keep a page that was just written. No request is under way on the message's slot. */
    private static void swapOutSome(ExerciseEnd end, long message) {
        if (message % SWAPPED_OUT_EVERY == 0) {
            end.swapOut(slot(message), SLOT);
        }
    }

    /** Posts more receives than the peer has sends under way, so that each send finds one. */
    static void receiveSlots(ExerciseEnd end) {
        for (int i = 0; i < 2 * DEPTH; i++) {
            end.receiveAt(ExerciseEnd.RECEIVES + (long) i * SLOT, SLOT, FIRST_RECEIVE + i);
        }
    }

    /**
     * Sends {@code count} messages each way at the same time. Over iWARP, which tells a sender nothing of the receiver, each side is at most
     * {@value #DEPTH} messages ahead of those it has received: then twice as many receives are enough.
     */
    static void sends(ExerciseEnd end, int count, int size, int mine, int theirs) {
        int posted = 0;
        int sent = 0;
        int received = 0;
        while (sent < count || received < count) {
            while (posted < count && posted - sent < DEPTH && (!end.isIwarp() || posted - received < DEPTH)) {
                number(end, slot(posted), size, mine, posted);
                swapOutSome(end, posted);
                end.post(new WorkRequest.Send(1, end.segment(slot(posted), size)));
                posted++;
            }
            Completion completion = end.next();
            if (end.isLossy() && received == count && completion.status() == Status.FLUSHED) {
                return; // the peer has received everything and has left
            }
            assertEquals(Status.SUCCESS, completion.status(), completion::toString);
            if (!completion.operation().isReceive()) {
                sent++;
                continue;
            }
            long offset = ExerciseEnd.RECEIVES + (completion.id() - FIRST_RECEIVE) * SLOT;
            assertEquals(size, completion.byteLength(), "bytes of message " + received);
            numbered(end, offset, size, theirs, received, "message");
            end.clear(offset, size);
            end.receiveAt(offset, SLOT, completion.id());
            received++;
        }
    }

    /** The client's part: {@code count} writes, reads or additions. */
    static void requests(ExerciseEnd end, RemoteMemory peer, String scenario, int count, int size) {
        int posted = 0;
        for (int done = 0; done < count; done++) {
            while (posted < count && posted - done < DEPTH) {
                end.post(request(end, peer, scenario, posted, size));
                posted++;
            }
            Completion completion = end.ends(Status.SUCCESS);
            assertEquals(done, completion.id());
            if (scenario.equals("reads")) {
                numbered(end, slot(done), size, ExerciseEnd.SERVER, done % DEPTH, "read");
                end.clear(slot(done), size);
            } else if (scenario.equals("adds")) {
                assertEquals(done, end.longAt(slot(done)), "the value before addition " + done);
            }
        }
        end.receiveAt(ExerciseEnd.RECEIVES, 4, FIRST_RECEIVE);
        end.post(new WorkRequest.Send(1, end.segment(0, 4)));
        end.done();
        end.done();
    }

    private static WorkRequest.Sending request(
            ExerciseEnd end, RemoteMemory peer, String scenario, int message, int size) {
        LocalSegment local = end.segment(slot(message), scenario.equals("adds") ? 8 : size);
        if (scenario.equals("writes")) {
            number(end, slot(message), size, ExerciseEnd.CLIENT, message);
        }
        swapOutSome(end, message);
        return switch (scenario) {
            case "writes" -> new WorkRequest.Write(message, local, peer.plus(slot(message)));
            case "reads" -> new WorkRequest.Read(message, local, peer.plus(slot(message)));
            case "adds" -> new WorkRequest.FetchAdd(message, local, peer, 1, SendOptions.SIGNALLED);
            default -> throw new IllegalArgumentException(scenario);
        };
    }

    /** The server's part of {@link #requests}: waits for their end and compares the memory. */
    static void serveRequests(ExerciseEnd end, String scenario, int count, int size) {
        end.done();
        if (scenario.equals("writes")) {
            for (int i = Math.max(0, count - DEPTH); i < count; i++) {
                numbered(end, slot(i), size, ExerciseEnd.CLIENT, i, "write");
            }
        } else if (scenario.equals("adds")) {
            assertEquals(count, end.longAt(0), "sum");
        }
        end.post(new WorkRequest.Send(100, end.segment(0, 4)));
        end.doneOrLeft();
    }
}
