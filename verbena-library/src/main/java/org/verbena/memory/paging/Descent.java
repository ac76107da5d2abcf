package org.verbena.memory.paging;

import org.jspecify.annotations.Nullable;
import org.verbena.FaultedAccess;

/** Pins a page at all stages below its own: a page that is pinned at its stage, and whose frame is requested at the next. */
final class Descent implements PageRequest.Listener {
    private final Stage stage;
    private final long page;
    private final Access access;
    private final PageRequest.Listener listener;

    /** @param listener gets one answer for the page, as a page of this stage */
    Descent(Stage stage, long page, Access access, PageRequest.Listener listener) {
        this.stage = stage;
        this.page = page;
        this.access = access;
        this.listener = listener;
    }

    /** Requests the frame of the page at the stage below, which is returned. The page is pinned at its own stage. */
    Stage descend() {
        Stage below = stage.below();
        assert below != null : "a descent from the last stage";
        below.acquire(PageWord.frame(stage.table().word(page)), access, this);
        return below;
    }

    @Override
    public void onPinned(Stage pinnedStage, long pinnedPage) {
        if (pinnedStage == stage) {
            descend().driver().poke();
        } else {
            listener.onPinned(stage, page);
        }
    }

    @Override
    public void onFrameReserved(Stage reservingStage, long reservedPage, Runnable giveBack) {
        listener.onFrameReserved(stage, page, reservingStage == stage ? giveBack : () -> giveBackAndUnpin(giveBack));
    }

    /** The pin goes last: it keeps the page on the page below for which the frame is reserved. */
    private void giveBackAndUnpin(Runnable giveBack) {
        giveBack.run();
        stage.unpinOne(page);
    }

    @Override
    public void onRefused(Stage refusingStage, long refusedPage, Refusal reason) {
        if (refusingStage != stage) {
            stage.unpinOne(page);
        }
        listener.onRefused(stage, page, reason);
    }

    @Override
    public boolean isAbandoned() {
        return listener.isAbandoned();
    }

    @Override
    public @Nullable FaultedAccess origin() {
        return listener.origin();
    }
}
