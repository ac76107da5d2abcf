package org.verbena.adapter.iwarp.ddp;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.UnorderedReceiver;
import org.verbena.wire.iwarp.TaggedHeader;

/**
 * Takes segments of a transport that does not keep their order. Tagged segments are placed as they come; all effects beside the data follow
 * in the order in which they were sent, when the segments before have come. An untagged segment waits for its turn. Of a segment that was
 * placed early the window keeps the header. A segment beyond the window is dropped: its sender sends it again.
 */
public final class DdpWindow implements UnorderedReceiver {
    /** Segments from the one whose turn it is; one beyond them is dropped. */
    public static final int SEGMENTS = 256;

    private final DdpReceiver receiver;
    private final MemorySegment headers = MemorySegment.ofArray(new byte[SEGMENTS * TaggedHeader.LENGTH]);
    private final boolean[] placed = new boolean[SEGMENTS];
    private final int[] lengths = new int[SEGMENTS];

    public DdpWindow(DdpUser user) {
        receiver = new DdpReceiver(user);
    }

    @Override
    public Intake onSegment(long number, MemorySegment memory, long at, int length) {
        long ahead = number - receiver.number();
        if (ahead < 0) {
            return Intake.TAKEN; // it was there before
        }
        if (ahead >= SEGMENTS) {
            return Intake.LATER;
        }
        return ahead == 0 ? inTurn(memory, at, length) : early(number, memory, at, length);
    }

    private Intake inTurn(MemorySegment memory, long at, int length) {
        Intake intake = receiver.onSegment(memory, at, length);
        return intake == Intake.TAKEN ? catchUp() : intake;
    }

    private Intake early(long number, MemorySegment memory, long at, int length) {
        int slot = slot(number);
        if (placed[slot]) {
            return Intake.TAKEN; // it was there before
        }
        Intake intake = receiver.onEarly(number, memory, at, length);
        if (intake == Intake.TAKEN) {
            placed[slot] = true;
            lengths[slot] = length;
            MemorySegment.copy(memory, at, headers, headerAt(slot), TaggedHeader.LENGTH);
        }
        return intake;
    }

    /** Passes the segments that were placed early and whose turn it is now. */
    private Intake catchUp() {
        for (int slot = slot(receiver.number()); placed[slot]; slot = slot(receiver.number())) {
            placed[slot] = false;
            if (receiver.onTurn(headers, headerAt(slot), lengths[slot]) != Intake.TAKEN) {
                return Intake.STOPPED;
            }
        }
        return Intake.TAKEN;
    }

    /** Takes no segment any more. Of those that were placed early no turn comes. */
    public void stop() {
        receiver.stop();
        for (int ahead = 1; ahead < SEGMENTS; ahead++) {
            long number = receiver.number() + ahead;
            int slot = slot(number);
            if (placed[slot]) {
                placed[slot] = false;
                receiver.onLost(number, headers, headerAt(slot));
            }
        }
    }

    private static int slot(long number) {
        return (int) (number % SEGMENTS);
    }

    private static long headerAt(int slot) {
        return (long) slot * TaggedHeader.LENGTH;
    }
}
