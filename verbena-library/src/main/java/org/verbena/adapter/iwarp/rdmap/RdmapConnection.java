package org.verbena.adapter.iwarp.rdmap;

import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.ReadyMessage;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.adapter.iwarp.ddp.DdpUser;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.adapter.pair.RefusedAccess;
import org.verbena.adapter.pair.Transport;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * The transport of a queue pair over iWARP. It sends requests and answers as DDP segments; its {@link #input} takes the peer's. A segment
 * that meets a page fault is left to the stream, which is not read until the page is there. An error ends the stream with a terminate
 * message.
 */
public final class RdmapConnection implements Transport {
    private final Pair pair;
    private final RdmapOwner owner;
    private final SegmentChannel channel;
    private final RdmapRequester requester;
    private final RdmapResponder responder;
    private final InputWait wait;
    private final RdmapInput input;
    private final TerminateDraft draft = new TerminateDraft();
    private final RefusedAccess refused = new RefusedAccess();
    private final int outstandingMax;
    private boolean held;
    private boolean releaseAwaited;
    private boolean blocked;
    /** The last turn ended because of the budget. */
    private boolean more;

    /**
     * Of a stream that is open.
     *
     * @param inboundMax read and atomic requests that the peer may have at once
     * @param outstandingMax read and atomic requests that this side may have at once
     */
    public RdmapConnection(
            Pair pair,
            EngineParts parts,
            SegmentChannel channel,
            int inboundMax,
            int outstandingMax,
            RdmapOwner owner) {
        this.pair = pair;
        this.channel = channel;
        this.owner = owner;
        this.outstandingMax = outstandingMax;
        Upcalls upcalls = new Upcalls() {
            @Override
            public void fail(TerminateCode reason, String detail) {
                draft.prepare(reason);
                pair.fail(EventKind.QUEUE_PAIR_FATAL, detail);
            }

            @Override
            public void refuse(TerminateCode reason, int key, long address, long length, Verdict verdict) {
                draft.prepare(reason);
                refused.note(key, address, length, verdict);
                refused.fail(pair, owner.peer());
            }

            @Override
            public void failOwn(TerminateCode reason, String detail) {
                if (!held) {
                    draft.prepare(reason);
                }
                pair.fail(EventKind.QUEUE_PAIR_FATAL, detail);
            }

            @Override
            public void onBlocked() {
                blocked = true;
            }
        };
        this.requester = new RdmapRequester(pair, parts, channel, upcalls);
        this.responder = new RdmapResponder(pair, parts, channel, inboundMax, upcalls);
        this.wait = new InputWait(pair, parts, owner, draft, upcalls);
        this.input = new RdmapInput(pair, parts.memory(), requester, responder, wait);
    }

    /** Takes the peer's segments. */
    public DdpUser input() {
        return input;
    }

    /** Sends the message that tells that this side is ready to receive; false if the channel has no room. */
    public boolean sendReady(ReadyMessage message) {
        return requester.sendReady(message);
    }

    /**
     * Has nothing sent until {@link #release}: the peer is not ready to receive. Local requests are done, but for those behind a request
     * that has to be sent.
     *
     * @param awaited whether the consumer is told of the release
     */
    public void hold(boolean awaited) {
        held = true;
        releaseAwaited = awaited;
    }

    /** The peer is ready to receive; whether it was not before. */
    public boolean release() {
        if (!held) {
            return false;
        }
        held = false;
        if (releaseAwaited) {
            pair.event(EventKind.COMMUNICATION_ESTABLISHED);
        }
        pair.schedule();
        return true;
    }

    /** The channel may have room again. */
    public void onRoom() {
        if (blocked && channel.room() > 0) {
            blocked = false;
            pair.schedule();
        }
    }

    /** The terminate message that waits to be sent, if there is one. */
    public TerminateDraft draft() {
        return draft;
    }

    @Override
    public void readyToSend(ReadyParameters parameters) {
        requester.begin(Math.min(parameters.outstandingReads(), outstandingMax));
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        more = !held && responder.transmit(budget);
        if (pair.state().takesSends()) {
            more |= requester.transmit(budget, !pair.lifecycle().beginsRequests(), held);
        }
        more &= pair.state().answers();
        return more;
    }

    /** Whether the next turn sends more. */
    public boolean sendsMore() {
        return more && !held;
    }

    @Override
    public boolean isSending() {
        return requester.isSending();
    }

    @Override
    public void stop() {
        requester.stop();
        responder.stop();
        input.stop();
        wait.stop();
        if (draft.isPending()) {
            draft.send(channel);
        }
        owner.onEnded();
    }

    @Override
    public void onFlushed() {
        requester.onFlushed();
    }

    @Override
    public void detach() {
        owner.onDetached();
    }

    /** The stream ends: by its peer, or because it is damaged. */
    public void onStreamEnd(@Nullable TerminateCode damage) {
        if (damage != null) {
            draft.prepare(damage);
        }
        if (damage == null) {
            pair.fail(EventKind.STREAM_ENDED);
        } else {
            pair.fail(EventKind.QUEUE_PAIR_FATAL, "the stream is damaged: " + damage);
        }
    }
}
