package org.verbena.memory.paging;

import org.jspecify.annotations.Nullable;

/**
 * The place of a pager's frames: machine memory, or the stage below, whose pages the frames are then. Collects what the stage
 * below must be told, and tells it once at the end of a turn. Used inside the monitor of the pager.
 */
final class StageBelow {
    private final @Nullable Stage stage;
    private boolean asked;
    private boolean discarded;

    /** @param stage the stage below; null if the frames are in machine memory */
    StageBelow(@Nullable Stage stage) {
        this.stage = stage;
    }

    /** The stage below; null if the frames are in machine memory. */
    @Nullable
    Stage stage() {
        return stage;
    }

    /** Number of the pager's stage on the way to machine memory, as events show it: 2 is the last. */
    int stageNumber() {
        return stage == null ? 2 : 1;
    }

    /** Pins a frame in machine memory. Returns its position; a negative number if it is not there, and then nothing is pinned. */
    long pin(int frame, Access access) {
        return stage == null ? (long) frame * Stage.PAGE : stage.pin(frame, access);
    }

    /** Removes a pin made by {@link #pin} or {@link #acquire}. */
    void unpin(int frame) {
        if (stage != null) {
            stage.unpin(frame);
        }
    }

    /** Position in machine memory of a frame that is pinned there. */
    long position(int frame) {
        return stage == null ? (long) frame * Stage.PAGE : stage.position(frame);
    }

    /** Whether the content of a frame is lost. */
    boolean isPoisoned(int frame) {
        return stage != null && PageWord.state(stage.table().word(frame)) == PageWord.State.POISONED;
    }

    /** Brings a frame into machine memory and pins it there for the listener. There is a stage below. */
    void acquire(int frame, Access access, PageRequest.Listener listener) {
        if (stage == null) {
            throw new IllegalStateException("frame " + frame + " is in machine memory always");
        }
        stage.acquire(frame, access, listener);
        asked = true;
    }

    /** Prefetches a frame that is not in machine memory. */
    void prefetch(int frame) {
        if (stage != null && !stage.isResident(frame)) {
            stage.driver().prefetch(stage, frame, 1);
            asked = true;
        }
    }

    /** The content of a frame is of no use any more. Called before the frame is free. */
    void discard(int frame) {
        if (stage != null) {
            discarded |= stage.discard(frame);
        }
    }

    /** A stage above has been closed: the stage below may be closing too, and wait for pins that are gone now. */
    void onClosedAbove() {
        asked = true;
    }

    /** Tells the driver below, at the end of a turn, that events were left for it. */
    void tell() {
        if (stage == null) {
            return;
        }
        if (asked) {
            stage.driver().poke();
        } else if (discarded && stage.driver() instanceof Pager below) {
            below.nudge();
        }
        asked = false;
        discarded = false;
    }
}
