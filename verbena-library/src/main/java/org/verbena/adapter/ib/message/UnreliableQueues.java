package org.verbena.adapter.ib.message;

import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.Lifecycle;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.QueuePairTransport;
import org.verbena.adapter.pair.Queues;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.adapter.pair.SendCompletions;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Verdict;
import org.verbena.memory.faults.Fault;
import org.verbena.queue.EventKind;
import org.verbena.queue.QueuePairState;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Mtu;

/**
 * What queue pairs without acknowledgements have in common: both queues and the states. A request that fails stops the
 * send queue only (SQE): receives go on, and {@link #resume} starts it again.
 */
public final class UnreliableQueues {
    private final QueuePairTransport owner;
    private final Engine engine;
    private final Lifecycle lifecycle;
    private final AccessRights rights;
    private final ReceiveQueue receives;
    private final UnansweredSends sends;
    private final PageWait inbound;
    private boolean established;

    public UnreliableQueues(
            QueuePairTransport owner,
            Engine engine,
            ProtectionDomain domain,
            Queues queues,
            RequestOpcodes opcodes,
            UnansweredSends.Outlet outlet) {
        this.owner = owner;
        this.engine = engine;
        this.lifecycle = new Lifecycle(owner.number(), queues.sends());
        this.rights = new AccessRights(domain, owner.number());
        this.receives = new ReceiveQueue(owner.number(), queues, engine.completions(), this::onOverrun);
        this.sends = new UnansweredSends(
                engine,
                queues.sends(),
                rights,
                opcodes,
                new SendCompletions(
                        owner.number(), queues, engine.completions(), new OperationCount(engine.memory(), domain)),
                outlet,
                this::onSendFailure,
                this::onOverrun,
                this::schedule);
        this.inbound = new PageWait(engine, _ -> {});
    }

    public Lifecycle lifecycle() {
        return lifecycle;
    }

    public AccessRights rights() {
        return rights;
    }

    public ReceiveQueue receives() {
        return receives;
    }

    /**
     * Pages for what arrives. The packet that missed them is lost; they are fetched all the same, one packet's at a time, so
     * that the next one finds them.
     */
    public PageWait inbound() {
        return inbound;
    }

    /** INIT → RTR. */
    public void readyToReceive() {
        lifecycle.request(QueuePairState.READY_TO_RECEIVE);
        established = false;
    }

    /** RTR → RTS. */
    public void readyToSend(Mtu mtu, int firstPsn) {
        lifecycle.requestReadyToSend();
        sends.begin(mtu, firstPsn);
        schedule();
    }

    public void drain() {
        lifecycle.requestDrain();
        schedule();
    }

    public void resume() {
        lifecycle.requestResume();
        schedule();
    }

    public void reset() {
        lifecycle.become(QueuePairState.RESET);
        sends.discard();
        inbound.release();
        receives.discard();
        engine.memory().releaseQueuePair(rights.binder());
    }

    /** Sends what may be sent in the present state; true when more is left. */
    public boolean transmit(int budget) {
        return switch (lifecycle.state()) {
            case RESET, INIT, READY_TO_RECEIVE -> false;
            case READY_TO_SEND, SEND_QUEUE_DRAINED -> {
                boolean more = sends.transmit(budget, lifecycle.isDraining());
                if (lifecycle.takeDrained(sends.isUnderWay())) {
                    event(EventKind.SEND_QUEUE_DRAINED);
                }
                yield more;
            }
            case SEND_QUEUE_ERROR -> {
                sends.flush();
                yield false;
            }
            case ERROR -> {
                flush();
                yield false;
            }
        };
    }

    /** A packet arrived; the first one is told of if the consumer still waits to send. */
    public void onPacket() {
        if (!established) {
            established = true;
            if (lifecycle.is(QueuePairState.READY_TO_RECEIVE)) {
                event(EventKind.COMMUNICATION_ESTABLISHED);
            }
        }
    }

    /** To ERROR; an event if it was not the consumer's wish. Later posts come back flushed as well. */
    public void enterError(@Nullable EventKind kind) {
        if (lifecycle.is(QueuePairState.ERROR)) {
            return;
        }
        lifecycle.become(QueuePairState.ERROR);
        inbound.release();
        if (kind != null) {
            event(kind);
        }
        flush();
        if (receives.source().shared()) {
            event(EventKind.LAST_RECEIVE_REACHED);
        }
    }

    private void flush() {
        sends.flush();
        receives.flush();
    }

    /**
     * A packet was dropped for want of pages: counts it, and has them fetched unless others are on their way already.
     *
     * @param demand adds to a fault what the packet needs
     */
    public void onDroppedForPages(Demand demand) {
        engine.counters().add(Counter.DROPPED_PAGE_FAULT);
        if (inbound.isWaiting()) {
            return;
        }
        if (demand.addTo(inbound.prepare()).granted()) {
            inbound.start();
        } else {
            inbound.release();
        }
    }

    /** What a packet needs that met a page fault. */
    @FunctionalInterface
    public interface Demand {
        /** Adds it; GRANTED, or why it would be refused whatever is resident. */
        Verdict addTo(Fault fault);
    }

    /** A packet found its pages. */
    public void onPlaced() {
        if (inbound.isOpen()) {
            inbound.release();
        }
    }

    private void onSendFailure() {
        if (!lifecycle.is(QueuePairState.ERROR)) {
            lifecycle.become(QueuePairState.SEND_QUEUE_ERROR);
            sends.flush();
        }
    }

    private void onOverrun() {
        enterError(EventKind.QUEUE_PAIR_FATAL);
    }

    private void event(EventKind kind) {
        engine.events().onEvent(kind, owner);
    }

    private void schedule() {
        engine.scheduler().add(owner);
    }
}
