package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.adapter.iwarp.ddp.DdpUser;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.PageWait;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.adapter.pair.Transport;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionEntry;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.AtomicResponse;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.ImmediateData;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * The transport of a queue pair over iWARP. It sends requests and answers as DDP segments, and takes the peer's. A segment that meets a
 * page fault is left to the stream, which is not read until the page is there. An error ends the stream with a terminate message.
 */
public final class RdmapConnection implements Transport, DdpUser {
    private final Pair pair;
    private final ProtectionTable memory;
    private final AccessRights rights;
    private final ReceiveQueue receives;
    private final RdmapOwner owner;
    private final RdmapRequester requester;
    private final RdmapResponder responder;
    private final TerminateDraft draft = new TerminateDraft();
    private final SegmentChannel channel;
    private final PageWait pages;
    private final int outstandingMax;
    /** The opcode of the send under way; null between messages. */
    private @Nullable RdmapOpcode underWay;

    private long placed;
    private boolean held;
    private boolean blocked;

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
        this.memory = parts.memory();
        this.rights = pair.rights();
        this.receives = pair.receives();
        this.channel = channel;
        this.owner = owner;
        this.outstandingMax = outstandingMax;
        RdmapRequester.Upcalls upcalls = new RdmapRequester.Upcalls() {
            @Override
            public void fail(TerminateCode reason, String detail) {
                RdmapConnection.this.fail(reason, detail);
            }

            @Override
            public void onBlocked() {
                blocked = true;
            }
        };
        this.requester = new RdmapRequester(pair, parts, channel, upcalls);
        this.responder = new RdmapResponder(pair, parts, channel, inboundMax, upcalls);
        this.pages = new PageWait(parts, this::onPages);
    }

    /** Has nothing sent until {@link #release}: the peer is not ready to receive. */
    public void hold() {
        held = true;
    }

    /** The peer is ready to receive. */
    public void release() {
        if (held) {
            held = false;
            pair.event(EventKind.COMMUNICATION_ESTABLISHED);
            pair.schedule();
        }
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
        if (held) {
            return false;
        }
        boolean more = responder.transmit(budget);
        if (pair.state().takesSends()) {
            more |= requester.transmit(budget, pair.lifecycle().isDraining());
        }
        return more && pair.state().answers();
    }

    @Override
    public boolean isSending() {
        return requester.isSending();
    }

    @Override
    public void stop() {
        requester.stop();
        responder.stop();
        pages.release();
        if (draft.isPending()) {
            draft.send(channel);
        }
        owner.onEnded();
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

    private void fail(TerminateCode reason, String detail) {
        draft.prepare(reason);
        pair.fail(EventKind.QUEUE_PAIR_FATAL, detail);
    }

    // --- input

    @Override
    public long capacity(int queue) {
        return switch (queue) {
            case RdmapOpcode.SENDS ->
                // Immediate data fill no memory of the receive.
                receives.take()
                        ? Math.max(
                                ImmediateData.LENGTH, receives.hand().segments().total())
                        : NO_BUFFER;
            case RdmapOpcode.REQUESTS -> responder.hasRoom() ? AtomicRequest.LENGTH : NO_BUFFER;
            case RdmapOpcode.TERMINATES -> Terminate.LENGTH_MAX;
            default -> requester.awaitsAtomic() ? AtomicResponse.LENGTH : NO_BUFFER;
        };
    }

    @Override
    public void onError(TerminateCode reason, MemorySegment segment, long at, int length) {
        draft.prepare(reason, segment, at, length);
        boolean access = reason.layer() != TerminateCode.LLP && reason.type() == 1;
        pair.fail(
                access ? EventKind.QUEUE_PAIR_ACCESS_ERROR : EventKind.QUEUE_PAIR_REQUEST_ERROR,
                "a segment of the peer was refused: " + reason);
    }

    private Intake refuse(TerminateCode reason, MemorySegment segment, long at, int length) {
        onError(reason, segment, at, length);
        return Intake.STOPPED;
    }

    @Override
    public Intake onTagged(MemorySegment segment, long at, int length) {
        if (pages.isWaiting()) {
            return Intake.LATER;
        }
        TerminateCode error = MessageRules.judge(segment, at, length, null);
        if (error != null) {
            return refuse(error, segment, at, length);
        }
        return DdpControl.opcode(segment, at) == RdmapOpcode.WRITE.code()
                ? onWrite(segment, at, length)
                : onReadResponse(segment, at, length);
    }

    private Intake onWrite(MemorySegment segment, long at, int length) {
        int key = TaggedHeader.stag(segment, at);
        long offset = TaggedHeader.offset(segment, at);
        int data = length - TaggedHeader.LENGTH;
        if (data == 0) {
            return taken(); // touches nothing: needs neither key nor right
        }
        Verdict verdict = rights.allows(rights.remoteWrite())
                ? memory.place(rights.remoteWrite(), key, offset, segment, at + TaggedHeader.LENGTH, data)
                : Verdict.NO_RIGHT;
        if (verdict == Verdict.NOT_RESIDENT) {
            Fault fault = pages.prepare();
            return await(
                    fault.add(rights.remoteWrite(), key, offset, data, data, Fault.Intent.OVERWRITE),
                    segment,
                    at,
                    length);
        }
        return verdict.granted() ? taken() : refuse(Refusals.ofTagged(verdict), segment, at, length);
    }

    private Intake onReadResponse(MemorySegment segment, long at, int length) {
        int data = length - TaggedHeader.LENGTH;
        boolean last = DdpControl.isLast(segment, at);
        TerminateCode error =
                requester.judgeRead(TaggedHeader.stag(segment, at), TaggedHeader.offset(segment, at), data, last);
        if (error != null) {
            return refuse(error, segment, at, length);
        }
        Verdict verdict = data == 0 ? Verdict.GRANTED : requester.placeRead(segment, at + TaggedHeader.LENGTH, data);
        if (verdict == Verdict.NOT_RESIDENT) {
            return await(requester.demandRead(pages.prepare(), data), segment, at, length);
        }
        if (!verdict.granted()) {
            requester.failOldest(Status.LOCAL_PROTECTION_ERROR);
            return refuse(Refusals.ofTagged(verdict), segment, at, length);
        }
        requester.onReadPlaced(data, last);
        return taken();
    }

    /** The data is in place. */
    private Intake taken() {
        if (pages.isOpen()) {
            pages.release();
        }
        return pair.state().answers() ? Intake.TAKEN : Intake.STOPPED;
    }

    /** Waits for the pages that were demanded; the segment is offered again. */
    private Intake await(Verdict demanded, MemorySegment segment, long at, int length) {
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
            fail(TerminateCode.RDMAP_CATASTROPHIC_STREAM, "a page is lost: " + outcome.reason());
        }
    }

    @Override
    public Intake onUntagged(MemorySegment segment, long at, int length) {
        if (pages.isWaiting()) {
            return Intake.LATER;
        }
        boolean send = UntaggedHeader.queue(segment, at) == RdmapOpcode.SENDS;
        TerminateCode error = MessageRules.judge(segment, at, length, send ? underWay : null);
        RdmapOpcode opcode = RdmapOpcode.of(DdpControl.opcode(segment, at));
        if (error != null || opcode == null) {
            return refuse(error == null ? TerminateCode.RDMAP_UNEXPECTED_OPCODE : error, segment, at, length);
        }
        return switch (opcode) {
            case READ_REQUEST -> onReadRequest(segment, at, length);
            case ATOMIC_REQUEST -> onAtomicRequest(segment, at, length);
            case ATOMIC_RESPONSE -> onAtomicResponse(segment, at, length);
            case TERMINATE -> onTerminate(segment, at);
            case IMMEDIATE, IMMEDIATE_SOLICITED -> onImmediate(segment, at, opcode);
            default -> onSend(segment, at, length, opcode);
        };
    }

    private Intake onReadRequest(MemorySegment segment, long at, int length) {
        Verdict verdict = responder.onRead(segment, at + UntaggedHeader.LENGTH);
        return verdict.granted() ? taken() : refuse(Refusals.ofRequest(verdict), segment, at, length);
    }

    private Intake onAtomicRequest(MemorySegment segment, long at, int length) {
        long request = at + UntaggedHeader.LENGTH;
        if (!RdmapResponder.isSupported(segment, request)) {
            return refuse(TerminateCode.RDMAP_UNEXPECTED_OPCODE, segment, at, length);
        }
        Verdict verdict = responder.onAtomic(segment, request);
        if (verdict == Verdict.NOT_RESIDENT) {
            return await(responder.demandAtomic(pages.prepare(), segment, request), segment, at, length);
        }
        return verdict.granted() ? taken() : refuse(Refusals.ofRequest(verdict), segment, at, length);
    }

    private Intake onAtomicResponse(MemorySegment segment, long at, int length) {
        Verdict verdict = requester.placeOriginal(AtomicResponse.original(segment, at + UntaggedHeader.LENGTH));
        if (verdict == Verdict.NOT_RESIDENT) {
            // The page went while the request was on the way; the stream waits as for a read response.
            return await(requester.demandOriginal(pages.prepare()), segment, at, length);
        }
        if (!verdict.granted()) {
            requester.failOldest(Status.LOCAL_PROTECTION_ERROR);
            return refuse(Refusals.ofTagged(verdict), segment, at, length);
        }
        requester.onAnswered();
        return taken();
    }

    private Intake onTerminate(MemorySegment segment, long at) {
        Terminate message = Terminate.read(segment, at + UntaggedHeader.LENGTH);
        TerminateCode reason = message.reason();
        boolean refused = message.layer() != TerminateCode.LLP && message.type() == 1;
        requester.failOldest(refused ? Status.REMOTE_ACCESS_ERROR : Status.REMOTE_OPERATIONAL_ERROR);
        String text = reason == null
                ? "layer " + message.layer() + ", type " + message.type() + ", code " + message.code()
                : reason.toString();
        pair.fail(EventKind.QUEUE_PAIR_FATAL, "the peer terminated the stream: " + text);
        return Intake.STOPPED;
    }

    private Intake onImmediate(MemorySegment segment, long at, RdmapOpcode opcode) {
        receives.begin(Operation.RECEIVE_WRITE_WITH_IMMEDIATE, Status.SUCCESS)
                .byteLength(0)
                .solicited(opcode.isSolicited())
                .immediate((int) ImmediateData.value(segment, at + UntaggedHeader.LENGTH));
        receives.finish();
        return taken();
    }

    private Intake onSend(MemorySegment segment, long at, int length, RdmapOpcode opcode) {
        int data = length - UntaggedHeader.LENGTH;
        long total = receives.hand().segments().total();
        if (placed + data > total) {
            receives.fail(Status.LOCAL_LENGTH_ERROR, Verdict.GRANTED);
            return refuse(TerminateCode.DDP_MESSAGE_TOO_LONG, segment, at, length);
        }
        Verdict verdict = receives.hand()
                .segments()
                .place(memory, rights.localWrite(), placed, segment, at + UntaggedHeader.LENGTH, data);
        boolean last = DdpControl.isLast(segment, at);
        if (verdict == Verdict.NOT_RESIDENT) {
            long left = last ? data : total - placed;
            return await(
                    receives.demand(pages.prepare(), rights.localWrite(), placed, data, left), segment, at, length);
        }
        if (!verdict.granted()) {
            receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            return refuse(TerminateCode.RDMAP_CATASTROPHIC_STREAM, segment, at, length);
        }
        placed += data;
        underWay = last ? null : opcode;
        return last ? finishSend(segment, at, length, opcode) : taken();
    }

    private Intake finishSend(MemorySegment segment, long at, int length, RdmapOpcode opcode) {
        int key = UntaggedHeader.invalidated(segment, at);
        if (opcode.invalidates()) {
            Verdict verdict = memory.invalidate(key, rights.remoteWrite());
            if (!verdict.granted()) {
                return refuse(TerminateCode.RDMAP_STAG_NOT_INVALIDATED, segment, at, length);
            }
        }
        CompletionEntry entry = receives.begin(Operation.RECEIVE, Status.SUCCESS)
                .byteLength(placed)
                .solicited(opcode.isSolicited());
        if (opcode.invalidates()) {
            entry.invalidated(key);
        }
        placed = 0;
        receives.finish();
        return taken();
    }
}
