package org.verbena.tools.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;

/**
 * Writes: they have no completion at the receiver, so the ends poll the last byte, which has the number of the message, as perftest does.
 */
final class MemoryExchange implements Exchange {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final CompletionQueue completions;
    private final Completions batch = new Completions(16);
    private final MemorySegment[] sourceEnds;
    private final Layout layout;
    private final Tally tally;
    private final Verifier verifier;
    private final Sends sends;
    private final MemorySegment watched;

    MemoryExchange(Side side, SideAddress peer, Tally tally) {
        this.completions = side.completions();
        this.layout = side.layout();
        this.sourceEnds = new MemorySegment[layout.sourceSlots()];
        Arrays.setAll(sourceEnds, slot -> side.memory().inPlace(layout.source(slot) + layout.size() - 1));
        this.tally = tally;
        this.verifier = new Verifier(side, tally);
        this.sends = new Sends(side, peer, verifier);
        this.watched = side.memory().inPlace(layout.landing(0) + layout.size() - 1);
    }

    /** Differs from that of the message before, and the first one from memory that was never written. */
    private static byte mark(long message) {
        return (byte) (message + 1);
    }

    @Override
    public boolean post(long message) {
        if (!sends.hasRoom()) {
            poll();
            return false;
        }
        sends.prepare(message);
        byte[] inline = sends.requests().inlineBytes();
        if (inline.length > 0) {
            inline[inline.length - 1] = mark(message);
        } else {
            sourceEnds[(int) (message % sourceEnds.length)].set(ValueLayout.JAVA_BYTE, 0, mark(message));
        }
        sends.post(message);
        return true;
    }

    @Override
    public boolean hasArrived(long message) {
        poll();
        if ((byte) BYTE.getAcquire(watched, 0L) != mark(message)) {
            return false;
        }
        verifier.afterLastByte(message);
        return true;
    }

    private void poll() {
        int count = completions.poll(batch);
        for (int i = 0; i < count && tally.accept(batch, i); i++) {
            sends.onCompletion();
        }
    }

    @Override
    public boolean watchesMemory() {
        return true;
    }
}
