package org.verbena.adapter.iwarp.port;

import java.nio.ByteBuffer;
import org.verbena.adapter.iwarp.mpa.UnitWriter;
import org.verbena.adapter.iwarp.rdmap.TerminateDraft;
import org.verbena.link.stream.ByteStream;

/** This side's direction of a stream: gives the bytes of units to the system, many at once while a queue pair has more to send. */
final class StreamOutput {
    /** Bytes for which others wait, at most. */
    private static final int STRETCH_MAX = 1 << 19;

    private final IwarpPort port;
    private final ByteStream stream;
    private final UnitWriter writer;
    private final StreamCounters counters;
    /** Bytes are sent when this many are there, if the queue pair is about to send more. */
    private int stretch;
    /** Turns since bytes wait for more. */
    private int heldTurns;

    private boolean terminateCounted;
    private boolean ended;

    StreamOutput(IwarpPort port, ByteStream stream, UnitWriter writer) {
        this.port = port;
        this.stream = stream;
        this.writer = writer;
        this.counters = port.counters();
    }

    /** Where segments are written. */
    UnitWriter writer() {
        return writer;
    }

    /**
     * Whether the bytes at hand wait for those that the queue pair sends in its next turn: the system takes many bytes at once at less cost. The
     * first bytes of a busy time do not wait, the following wait for ever more.
     *
     * @param more whether the queue pair sends in its next turn
     */
    boolean holdsBack(boolean more) {
        int pending = writer.pending();
        if (!more) {
            stretch = 0;
        } else if (pending > 0 && pending < stretch && heldTurns < IwarpPort.HELD_TURNS_MAX) {
            heldTurns++;
            return true;
        } else {
            stretch = Math.min(2 * Math.max(pending, stretch), STRETCH_MAX);
        }
        heldTurns = 0;
        return false;
    }

    /** Gives bytes to the system until it takes no more; false if the stream is lost. */
    boolean send() {
        ByteBuffer[] bytes = port.outgoing();
        while (!ended && writer.pending() > 0) {
            int buffers = writer.list(bytes);
            int count = buffers == 1 ? stream.write(bytes[0]) : stream.write(bytes, buffers);
            if (count == ByteStream.END) {
                writer.release();
                ended = true;
                return false;
            }
            if (count == 0) {
                return true;
            }
            writer.onSent(count);
            counters.onSent(0, count);
        }
        return true;
    }

    /** Ends the direction if all bytes are sent, the terminate message among them. */
    void endIfSent(TerminateDraft draft) {
        if (!ended && writer.pending() == 0 && !draft.isPending()) {
            ended = true;
            stream.endOutput();
        }
    }

    /** Whether the direction has ended, or is lost. */
    boolean isEnded() {
        return ended;
    }

    /** Whether bytes wait for room in the system. */
    boolean wantsRoom() {
        return !ended && writer.pending() > 0 && heldTurns == 0;
    }

    /** Counts the units that were written since the last call. */
    void count(TerminateDraft draft) {
        counters.onSent(writer.takeUnits(), 0);
        if (!terminateCounted && draft.isSent()) {
            terminateCounted = true;
            counters.onTerminateSent(draft.reason());
        }
    }
}
