package org.verbena.fabric.ibsim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.wire.mad.Mad;

/**
 * The requests of a client that may come back as lost, by the low bits of their transactions, which programs count up. A request takes the place
 * of an older one with the same bits; the older one is then not repeated when it is lost.
 */
final class OutstandingRequests {
    private static final int PLACES = 256;
    private static final int NONE = -1;

    private final MemorySegment[] mads = new MemorySegment[PLACES];
    private final int[] repeats = new int[PLACES];
    private final int[] targetLids = new int[PLACES];
    private final int[] targetQueuePairs = new int[PLACES];
    private final int[] sourceQueuePairs = new int[PLACES];

    OutstandingRequests() {
        MemorySegment memory = Arena.ofAuto().allocate((long) PLACES * Mad.LENGTH, Long.BYTES);
        Arrays.setAll(mads, place -> memory.asSlice((long) place * Mad.LENGTH, Mad.LENGTH));
        Arrays.fill(repeats, NONE);
    }

    /** A request leaves for the first time. */
    void put(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
        int place = place(mad);
        MemorySegment.copy(mad, 0, mads[place], 0, Mad.LENGTH);
        repeats[place] = 0;
        targetLids[place] = targetLid;
        targetQueuePairs[place] = targetQueuePair;
        sourceQueuePairs[place] = sourceQueuePair;
    }

    /** The place of the request with the transaction of this datagram, which may be the answer; -1 if there is none. */
    int find(MemorySegment mad) {
        int place = place(mad);
        return repeats[place] != NONE && MadWords.transaction(at(place)) == MadWords.transaction(mad) ? place : NONE;
    }

    MemorySegment at(int place) {
        return mads[place];
    }

    int targetLid(int place) {
        return targetLids[place];
    }

    int targetQueuePair(int place) {
        return targetQueuePairs[place];
    }

    int sourceQueuePair(int place) {
        return sourceQueuePairs[place];
    }

    /** One more repetition, if there is one left. */
    boolean repeat(int place, int repeatsMax) {
        if (repeats[place] == repeatsMax) {
            return false;
        }
        repeats[place]++;
        return true;
    }

    void remove(int place) {
        repeats[place] = NONE;
    }

    private static int place(MemorySegment mad) {
        return (int) MadWords.transaction(mad) & (PLACES - 1);
    }
}
