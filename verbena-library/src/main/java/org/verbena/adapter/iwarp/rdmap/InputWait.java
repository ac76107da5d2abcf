package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.RefusedAccess;
import org.verbena.memory.faults.Fault;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * The end of each segment that arrives: taken, left to the stream until a page is there, or refused. A refused segment ends the
 * connection with a terminate message.
 */
final class InputWait {
    private final Pair pair;
    private final RdmapOwner owner;
    private final TerminateDraft draft;
    private final Upcalls upcalls;
    private final RarePageWait pages;
    private final Counters counters;
    private final RefusedAccess refused = new RefusedAccess();
    /** The refusal is of an access to memory that is known. */
    private boolean noted;

    InputWait(Pair pair, EngineParts parts, RdmapOwner owner, TerminateDraft draft, Upcalls upcalls) {
        this.pair = pair;
        this.owner = owner;
        this.draft = draft;
        this.upcalls = upcalls;
        this.pages = new RarePageWait(parts, this::onPages);
        this.counters = parts.counters();
    }

    /** Whether pages are being brought in. */
    boolean isWaiting() {
        return pages.isWaiting();
    }

    /** Waits for no pages. */
    void stop() {
        pages.release();
    }

    /** The data is in place. */
    Intake taken() {
        pages.release();
        return pair.state().answers() ? Intake.TAKEN : Intake.STOPPED;
    }

    Intake refuse(TerminateCode reason, MemorySegment segment, long at, int length) {
        draft.prepare(reason, segment, at, length);
        if (noted) {
            refused.fail(pair, owner.peer());
            return Intake.STOPPED;
        }
        boolean access = reason.layer() != TerminateCode.LLP && reason.type() == 1;
        pair.fail(
                access ? EventKind.QUEUE_PAIR_ACCESS_ERROR : EventKind.QUEUE_PAIR_REQUEST_ERROR,
                "a segment of the peer was refused: " + reason);
        return Intake.STOPPED;
    }

    /** The peer has terminated the stream. */
    void onTerminated(@Nullable TerminateCode reason) {
        owner.onTerminated(reason);
    }

    /** Notes the memory that the segment about to be refused asked for, so that its owner is told; returns this. */
    InputWait note(int key, long address, long length, Verdict verdict) {
        refused.note(key, address, length, verdict);
        noted = true;
        return this;
    }

    /**
     * A fault for the pages of a segment, to be filled in, then given to {@link #await}.
     *
     * @param kind counts it
     */
    Fault prepare(Counter kind) {
        counters.add(kind);
        return pages.prepare();
    }

    /** Waits for the pages that were demanded; the segment is offered again. */
    Intake await(Verdict demanded, MemorySegment segment, long at, int length) {
        if (!demanded.granted()) {
            pages.release();
            return refuse(Refusals.ofTagged(demanded), segment, at, length);
        }
        if (pages.start()) {
            owner.onInputWanted();
        }
        return Intake.LATER;
    }

    private void onPages(Verdict outcome) {
        if (outcome.granted()) {
            owner.onInputWanted();
        } else {
            upcalls.fail(TerminateCode.RDMAP_CATASTROPHIC_STREAM, "a page is lost: " + outcome.reason());
        }
    }
}
