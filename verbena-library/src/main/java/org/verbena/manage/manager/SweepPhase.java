package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;

/** One phase of a sweep: gives requests one after the other and takes their answers. It is over when it gives none and none is under way. */
interface SweepPhase {
    /** Fills the slot with the next request; false: there is none at present. */
    boolean next(SmpSlot slot);

    /** The agent has followed a request. The answer is valid until this returns. */
    void onAnswer(SmpSlot slot, MemorySegment answer);

    /**
     * An agent has not followed a request.
     *
     * @param status its status; {@link #NO_ANSWER}: there was no answer
     */
    void onFailure(SmpSlot slot, int status);

    /** In place of a status. */
    int NO_ANSWER = -1;
}
