package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.verbena.EventKind;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.ddp.DdpUser;
import org.verbena.adapter.pair.Pair;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.trace.Counter;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.AtomicResponse;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** The segments of the peer: judged by the rules of RDMAP, then placed, answered or refused. */
final class RdmapInput implements DdpUser {
    private final Pair pair;
    private final RdmapRequester requester;
    private final RdmapResponder responder;
    private final InputWait wait;
    private final TaggedInput tagged;
    private final SendInput sends;

    RdmapInput(Pair pair, ProtectionTable memory, RdmapRequester requester, RdmapResponder responder, InputWait wait) {
        this.pair = pair;
        this.requester = requester;
        this.responder = responder;
        this.wait = wait;
        this.sends = new SendInput(pair, memory, wait);
        this.tagged = new TaggedInput(pair, memory, requester, wait, sends);
    }

    /** No message of the peer is under way any more. */
    void stop() {
        tagged.stop();
    }

    @Override
    public long capacity(int queue) {
        return switch (queue) {
            case RdmapOpcode.SENDS -> sends.capacity();
            case RdmapOpcode.REQUESTS -> responder.hasRoom() ? AtomicRequest.LENGTH : NO_BUFFER;
            case RdmapOpcode.TERMINATES -> Terminate.LENGTH_MAX;
            default -> requester.answers().awaitsAtomic() ? AtomicResponse.LENGTH : NO_BUFFER;
        };
    }

    @Override
    public void onError(TerminateCode reason, MemorySegment segment, long at, int length) {
        if (reason == TerminateCode.DDP_MESSAGE_TOO_LONG && UntaggedHeader.queue(segment, at) == RdmapOpcode.SENDS) {
            sends.onTooLong();
        }
        wait.refuse(reason, segment, at, length);
    }

    // --- tagged

    @Override
    public Intake onTagged(long number, MemorySegment segment, long at, int length) {
        return tagged.onTagged(number, segment, at, length);
    }

    @Override
    public Intake onTaggedEarly(long number, MemorySegment segment, long at, int length) {
        return tagged.onEarly(number, segment, at, length);
    }

    @Override
    public Intake onPlaced(long number, MemorySegment header, long at, int length) {
        return tagged.onPlaced(number, header, at, length);
    }

    @Override
    public void onLost(long number, MemorySegment header, long at) {
        tagged.onLost(number, header, at);
    }

    // --- untagged

    @Override
    public Intake onUntagged(MemorySegment segment, long at, int length) {
        if (wait.isWaiting()) {
            return Intake.LATER;
        }
        boolean send = UntaggedHeader.queue(segment, at) == RdmapOpcode.SENDS;
        TerminateCode error = MessageRules.judge(segment, at, length, send ? sends.underWay() : null);
        RdmapOpcode opcode = RdmapOpcode.of(DdpControl.opcode(segment, at));
        if (error != null || opcode == null) {
            return wait.refuse(error == null ? TerminateCode.RDMAP_UNEXPECTED_OPCODE : error, segment, at, length);
        }
        return switch (opcode) {
            case READ_REQUEST -> onReadRequest(segment, at, length);
            case ATOMIC_REQUEST -> onAtomicRequest(segment, at, length);
            case ATOMIC_RESPONSE -> onAtomicResponse(segment, at, length);
            case TERMINATE -> onTerminate(segment, at);
            case IMMEDIATE, IMMEDIATE_SOLICITED -> sends.onImmediate(segment, at, opcode);
            default -> sends.onSend(segment, at, length, opcode);
        };
    }

    private Intake onReadRequest(MemorySegment segment, long at, int length) {
        long request = at + UntaggedHeader.LENGTH;
        Verdict verdict = responder.onRead(segment, request);
        if (verdict.granted()) {
            return wait.taken();
        }
        long asked = Integer.toUnsignedLong(ReadRequest.length(segment, request));
        return wait.note(
                        ReadRequest.sourceStag(segment, request),
                        ReadRequest.sourceOffset(segment, request),
                        asked,
                        verdict)
                .refuse(Refusals.ofRequest(verdict), segment, at, length);
    }

    private Intake onAtomicRequest(MemorySegment segment, long at, int length) {
        long request = at + UntaggedHeader.LENGTH;
        Verdict verdict = responder.onAtomic(segment, request);
        if (verdict == Verdict.NOT_RESIDENT) {
            return wait.await(
                    responder.demandAtomic(wait.prepare(Counter.ATOMIC_PAGE_FAULTS), segment, request),
                    segment,
                    at,
                    length);
        }
        if (verdict.granted()) {
            return wait.taken();
        }
        if (verdict == Verdict.MISALIGNED) {
            return wait.refuse(
                    Refusals.ofRequest(verdict), segment, at, length); // the request is wrong, the memory is not
        }
        return wait.note(
                        AtomicRequest.stag(segment, request),
                        AtomicRequest.offset(segment, request),
                        Long.BYTES,
                        verdict)
                .refuse(Refusals.ofRequest(verdict), segment, at, length);
    }

    private Intake onAtomicResponse(MemorySegment segment, long at, int length) {
        Answers answers = requester.answers();
        long response = at + UntaggedHeader.LENGTH;
        if (AtomicResponse.identifier(segment, response)
                != answers.outstanding().identifier()) {
            return wait.refuse(TerminateCode.RDMAP_CATASTROPHIC_STREAM, segment, at, length);
        }
        Verdict verdict = answers.placeOriginal(AtomicResponse.original(segment, response));
        if (verdict == Verdict.NOT_RESIDENT) {
            // The page went while the request was on the way; the stream waits as for a read response.
            return wait.await(answers.demandOriginal(wait.prepare(Counter.LANDING_PAGE_FAULTS)), segment, at, length);
        }
        if (!verdict.granted()) {
            requester.failOldest(Status.LOCAL_PROTECTION_ERROR);
            return wait.refuse(Refusals.ofTagged(verdict), segment, at, length);
        }
        requester.onAnswered();
        return wait.taken();
    }

    private Intake onTerminate(MemorySegment segment, long at) {
        Terminate message = Terminate.read(segment, at + UntaggedHeader.LENGTH);
        TerminateCode reason = message.reason();
        wait.onTerminated(reason);
        requester.failOldest(status(message));
        String text = reason == null
                ? "layer " + message.layer() + ", type " + message.type() + ", code " + message.code()
                : reason.toString();
        pair.fail(EventKind.QUEUE_PAIR_FATAL, "the peer terminated the stream: " + text);
        return Intake.STOPPED;
    }

    /** How the oldest request ends that a terminate message leaves without an answer. */
    private Status status(Terminate message) {
        if (message.layer() != TerminateCode.LLP && message.type() == 1) {
            return Status.REMOTE_ACCESS_ERROR;
        }
        boolean misaligned = message.reason() == TerminateCode.RDMAP_OPERATION_UNSPECIFIED
                && requester.answers().awaitsAtomic();
        return misaligned ? Status.REMOTE_INVALID_REQUEST : Status.REMOTE_OPERATIONAL_ERROR;
    }
}
