package org.verbena.adapter.ib.reliable;

import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.message.SendData;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.PageWait;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;

/**
 * The pages of the requests: those with data to send, and those where the answers to reads and atomics land. If one is missing, the
 * current request waits and nothing leaves until the page is present; the peer is not told. The landing of a request is held
 * from before the request leaves until it is answered, so that its answers meet no page fault.
 */
final class RequestPages {
    private static final int NONE = -1;

    private final ReliableConnection connection;
    private final AccessRights rights;
    private final Counters counters;
    private final Outstanding outstanding;
    private final SendData data;
    private final Landings landings;
    private final PageWait pages;
    /** Number of the request that waits for the pages of its landing. */
    private int landingPsn = NONE;
    /** Position of the request that waits. */
    private long waiting;

    RequestPages(ReliableConnection connection, EngineParts parts, Outstanding outstanding, SendData data) {
        this.connection = connection;
        this.rights = connection.rights();
        this.counters = parts.counters();
        this.outstanding = outstanding;
        this.data = data;
        this.landings = new Landings(parts);
        this.pages = new PageWait(parts, this::onPages);
    }

    /** Releases all pages, and waits for none. */
    void release() {
        pages.release();
        landings.clear();
    }

    /** Whether the current request waits for pages. */
    boolean isWaiting() {
        return pages.isWaiting();
    }

    /** A packet of the current request left: the pages that it waited for have served. */
    void onSent() {
        if (pages.isOpen()) {
            pages.release();
        }
    }

    /** All requests that are not answered will be sent again; their landings stay held, because answers may be under way. */
    void goBack() {
        onNextIs(outstanding.unackedPsn());
        landings.goBack();
    }

    /** The same, but the requests do not count as lost: {@link #goOn} may follow. */
    void ask() {
        onNextIs(outstanding.unackedPsn());
        landings.ask();
    }

    /** The requests that were sent before the peer was asked are not sent again; returns how many of them hold a landing. */
    int goOn() {
        onNextIs(outstanding.reachedPsn());
        return landings.goOn();
    }

    private void onNextIs(int psn) {
        if (outstanding.nextPsn() != psn) {
            pages.release(); // another request leaves next
        }
    }

    /** No answer is under way any more. */
    void releaseLandings() {
        landings.clear();
    }

    /** The oldest read or atomic has been answered. */
    void onAnswered() {
        landings.onAnswered();
    }

    /** The request whose landing was held last did not leave. */
    void undoHold() {
        landings.undo();
    }

    /**
     * Holds the landing of the current request: the pages that a fault has brought in for it, or those that are present.
     *
     * @return NOT_RESIDENT if a page is missing: {@link #demandLanding} follows
     */
    Verdict holdLanding(long position, long from, long length) {
        if (pages.isOpen() && landingPsn == outstanding.nextPsn()) {
            landingPsn = NONE;
            Fault landed = pages.take();
            if (landed != null) {
                landings.adopt(landed);
                return Verdict.GRANTED;
            }
        }
        return landings.hold(data.load(position, outstanding.inline(position)), rights.localWrite(), from, length);
    }

    /** Asks for pages of the current request's data; if that is granted, {@link #start} follows. */
    Verdict demandData(long position, long offset, int payload) {
        counters.add(Counter.GATHER_PAGE_FAULTS);
        landingPsn = NONE;
        long remaining = outstanding.length(position) - offset;
        return demand(rights.localRead(), offset, payload, remaining, Fault.Intent.READ);
    }

    /** Asks for pages of the current request's landing; if that is granted, {@link #start} follows. */
    Verdict demandLanding(long offset, long length) {
        counters.add(Counter.LANDING_PAGE_FAULTS);
        landingPsn = outstanding.nextPsn();
        return demand(rights.localWrite(), offset, length, length, Fault.Intent.LANDING);
    }

    private Verdict demand(Accessor who, long offset, long length, long remaining, Fault.Intent intent) {
        waiting = outstanding.current();
        Verdict verdict = data.load(waiting, false).demand(pages.prepare(), who, offset, length, remaining, intent);
        if (!verdict.granted()) {
            pages.release();
        }
        return verdict;
    }

    /** Starts the fault; returns whether the request may be tried again at once. */
    boolean start() {
        return pages.start();
    }

    private void onPages(Verdict outcome) {
        if (!outcome.granted() && waiting >= outstanding.retired()) {
            connection.failWhenReached(waiting, Status.LOCAL_PROTECTION_ERROR, outcome);
        }
        connection.scheduleResumed();
    }
}
