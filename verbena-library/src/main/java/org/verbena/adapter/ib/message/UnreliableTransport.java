package org.verbena.adapter.ib.message;

import org.verbena.EventKind;
import org.verbena.Mtu;
import org.verbena.QueuePairState;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.PacketReceiver;
import org.verbena.adapter.ib.PacketReceivers;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.Transport;
import org.verbena.memory.faults.Fault;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;

/**
 * Common part of the transports without acknowledgements. A request that fails stops the send queue only (SQE): receives go on,
 * and {@link Pair#resume} starts it again.
 */
public abstract class UnreliableTransport implements Transport, PacketReceiver, UnansweredSends.Outlet {
    /** Pages that a packet which met a page fault needs. */
    @FunctionalInterface
    public interface Demand {
        /** Adds them; GRANTED, or the reason for which the access is refused even with all pages resident. */
        Verdict addTo(Fault fault);
    }

    private final Pair pair;
    private final PacketReceivers receivers;
    private final Counters counters;
    private final UnansweredSends sends;
    /**
     * Pages for packets that arrive. The packet that missed them is lost; they are fetched all the same, for one packet at a time,
     * so that the next one finds them.
     */
    private final PageWait inbound;

    private boolean established;
    /** The queue pair has failed or was reset; it may have another transport by now. */
    private boolean stopped;

    protected UnreliableTransport(
            Pair pair, EngineParts parts, Transmitter transmitter, PacketReceivers receivers, RequestOpcodes opcodes) {
        this.pair = pair;
        this.receivers = receivers;
        this.counters = parts.counters();
        this.sends = new UnansweredSends(pair, parts, transmitter, opcodes, this);
        this.inbound = new PageWait(parts, _ -> {});
    }

    public final Pair pair() {
        return pair;
    }

    /** Begins to send: packets of at most {@code mtu} bytes of payload. */
    protected final void beginSending(Mtu mtu, int firstPsn) {
        sends.begin(mtu, firstPsn);
    }

    // --- for the queue pair

    @Override
    public final boolean transmit(long nowNs, int budget) {
        return !pair.lifecycle().is(QueuePairState.READY_TO_RECEIVE)
                && sends.transmit(budget, !pair.lifecycle().beginsRequests());
    }

    @Override
    public final boolean isSending() {
        return sends.isUnderWay();
    }

    @Override
    public final void stop() {
        stopped = true;
        sends.stop();
        inbound.release();
        endMessages();
    }

    /** No message of a peer becomes whole any more. */
    protected void endMessages() {}

    @Override
    public void detach() {
        receivers.remove(this);
    }

    // --- for the demultiplexer

    @Override
    public final int number() {
        return pair.number();
    }

    @Override
    public boolean takesPackets() {
        return !stopped && pair.state().answers();
    }

    @Override
    public final void onMemoryFault() {
        pair.onMemoryFault();
    }

    // --- for the services

    /** A packet arrived. If it is the first and the consumer has not been ready to send yet, the consumer is told. */
    protected final void onPacket() {
        if (!established) {
            established = true;
            if (pair.lifecycle().is(QueuePairState.READY_TO_RECEIVE)) {
                pair.event(EventKind.COMMUNICATION_ESTABLISHED);
            }
        }
    }

    /** A packet was dropped because pages are missing: counts it, and has them fetched unless others are being fetched. */
    public final void onDroppedForPages(Demand demand) {
        counters.add(Counter.DROPPED_PAGE_FAULT);
        if (inbound.isWaiting()) {
            return;
        }
        if (demand.addTo(inbound.prepare()).granted()) {
            inbound.start();
        } else {
            inbound.release();
        }
    }

    /** A packet found its pages. */
    public final void onPlaced() {
        if (inbound.isOpen()) {
            inbound.release();
        }
    }
}
