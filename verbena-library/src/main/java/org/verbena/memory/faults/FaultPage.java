package org.verbena.memory.faults;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.verbena.FaultedAccess;
import org.verbena.Verdict;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.PageRequest;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;

/** One page of a fault: requested, then pinned or with a reserved frame, until the fault is released. Any thread. */
final class FaultPage implements PageRequest.Listener {
    private static final int AWAITED = 0;
    private static final int PINNED = 1;
    private static final int RESERVED = 2;
    private static final int OVER = 3;

    private final Fault fault;
    private final Stage stage;
    private final long page;
    private final Access access;
    private final @Nullable FaultedAccess origin;
    private final AtomicInteger state = new AtomicInteger(AWAITED);
    private final GuestAnswer guestAnswer = new GuestAnswer();
    private volatile Runnable giveFrameBack = () -> {};

    /** @param origin the access that needs the page; null if no program wants to know */
    FaultPage(Fault fault, Stage stage, long page, Access access, @Nullable FaultedAccess origin) {
        this.fault = fault;
        this.stage = stage;
        this.page = page;
        this.access = access;
        this.origin = origin;
    }

    /** The answer of a guest's own driver, which may never come: the page is pinned at the guest's stage, and at no stage below. */
    private final class GuestAnswer implements PageRequest.Listener {
        private final AtomicInteger pin = new AtomicInteger(AWAITED);

        @Override
        public void onPinned(Stage pinnedStage, long pinnedPage) {
            if (pin.compareAndSet(AWAITED, PINNED)) {
                fault.onGuestAnswer();
            } else {
                stage.unpinHere(page);
            }
        }

        @Override
        public void onRefused(Stage refusingStage, long refusedPage, Refusal reason) {
            FaultPage.this.onRefused(refusingStage, refusedPage, reason);
            fault.onGuestAnswer();
        }

        @Override
        public boolean isAbandoned() {
            return pin.get() == OVER;
        }

        @Override
        public @Nullable FaultedAccess origin() {
            return origin;
        }

        /** Passes the pin on to the caller; false if there is none. */
        boolean take() {
            return pin.getAndSet(OVER) == PINNED;
        }
    }

    boolean is(Stage otherStage, long otherPage) {
        return stage == otherStage && page == otherPage;
    }

    Stage stage() {
        return stage;
    }

    /** Whether a guest's own driver is asked for the page. */
    boolean asksGuest() {
        return driver().asksOthers();
    }

    Driver driver() {
        return stage.driver();
    }

    /** Asks the guest's own driver for the page, at its stage only. */
    void askGuest() {
        stage.acquireHere(page, access, guestAnswer);
    }

    /** Requests the page at all stages, or at the stages below the guest's if the guest's driver has answered. */
    void acquire() {
        if (!asksGuest()) {
            stage.acquire(page, access, this);
        } else if (guestAnswer.take()) {
            stage.acquireBelow(page, access, this);
        }
    }

    @Override
    public void onPinned(Stage pinnedStage, long pinnedPage) {
        if (state.compareAndSet(AWAITED, PINNED)) {
            fault.onPage();
        } else {
            stage.unpin(page);
        }
    }

    @Override
    public void onRefused(Stage refusingStage, long refusedPage, Refusal reason) {
        refuse(
                switch (reason) {
                    case LOST -> Verdict.PAGE_LOST;
                    case NO_SUCH_PAGE -> Verdict.NO_SUCH_ADDRESS;
                    case CLOSED -> Verdict.BACKING_CLOSED;
                });
    }

    /** Ends the wait for the page without a pin. */
    void refuse(Verdict reason) {
        if (state.compareAndSet(AWAITED, OVER)) {
            fault.onPageRefused(reason);
        }
    }

    @Override
    public void onFrameReserved(Stage reservingStage, long reservedPage, Runnable giveBack) {
        giveFrameBack = giveBack;
        if (state.compareAndSet(AWAITED, RESERVED)) {
            fault.onPage();
        } else {
            giveBack.run();
        }
    }

    @Override
    public boolean isAbandoned() {
        return state.get() == OVER;
    }

    /** Unpins the page or gives its reserved frame back, now or when the answer comes. */
    void release() {
        int before = state.getAndSet(OVER);
        if (guestAnswer.take()) {
            stage.unpinHere(page);
        }
        if (before == PINNED) {
            stage.unpin(page);
        } else if (before == RESERVED) {
            giveFrameBack.run();
        }
    }
}
