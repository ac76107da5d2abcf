package org.verbena.adapter.iwarp.rdmap;

import java.lang.foreign.MemorySegment;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.adapter.iwarp.ddp.UntaggedQueue;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PeerMessages;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.iwarp.AtomicKind;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.AtomicResponse;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Takes the peer's read and atomic requests, and sends the answers in the order of the requests. */
final class RdmapResponder {
    /** First of the numbers that reads have in touches; segments have those below. */
    private static final long READS = TaggedInput.NUMBERS;

    private final Pair pair;
    private final SegmentChannel channel;
    private final ProtectionTable memory;
    private final AccessRights rights;
    private final Effort effort;
    private final Counters counters;
    private final RarePageWait pages;
    private final Upcalls upcalls;
    private final InboundRequests inbound;
    private final UntaggedQueue responses = new UntaggedQueue();
    private final AtomicOperands operands = new AtomicOperands();
    private final AtomicResult result = new AtomicResult();
    /** The atomic that waits for its page. */
    private final PeerMessages atomics;

    private long taken;
    private long answered;

    RdmapResponder(Pair pair, EngineParts parts, SegmentChannel channel, int inboundMax, Upcalls upcalls) {
        this.pair = pair;
        this.channel = channel;
        this.memory = parts.memory();
        this.rights = pair.rights();
        this.effort = parts.effort();
        this.counters = parts.counters();
        this.upcalls = upcalls;
        this.inbound = new InboundRequests(Math.max(1, inboundMax), parts.memory());
        this.pages = new RarePageWait(parts, this::onPages);
        this.atomics = new PeerMessages(memory, 1);
    }

    /** Whether one more request can be taken. */
    boolean hasRoom() {
        return !inbound.isFull();
    }

    /** Waits for no pages, and answers nothing. */
    void stop() {
        pages.release();
        inbound.stop();
        atomics.end(0);
    }

    /** Judges a read request; it is kept to be answered if it is granted. {@code at} is behind the header of DDP. */
    Verdict onRead(MemorySegment request, long at) {
        int key = ReadRequest.sourceStag(request, at);
        long offset = ReadRequest.sourceOffset(request, at);
        long length = Integer.toUnsignedLong(ReadRequest.length(request, at));
        // A read of nothing needs neither key nor right: it may be the peer's ready message.
        Verdict verdict = length == 0 || rights.allows(rights.remoteRead())
                ? memory.judge(rights.remoteRead(), key, offset, length)
                : Verdict.NO_RIGHT;
        if (verdict.granted()) {
            verdict = memory.touch(rights.remoteRead(), key, offset, length, READS + taken);
        }
        if (verdict.granted()) {
            taken++;
            inbound.addRead(
                    ReadRequest.sinkStag(request, at), ReadRequest.sinkOffset(request, at), key, offset, length);
            pair.schedule();
        }
        return verdict;
    }

    /** Executes an atomic request whose kind is known. {@code at} is behind the header of DDP. */
    Verdict onAtomic(MemorySegment request, long at) {
        if (!rights.allows(rights.remoteAtomic())) {
            return Verdict.NO_RIGHT;
        }
        int key = AtomicRequest.stag(request, at);
        long offset = AtomicRequest.offset(request, at);
        Verdict verdict = execute(request, at, key, offset);
        if (verdict == Verdict.NOT_RESIDENT) {
            atomics.begin(0, key);
        }
        if (verdict.granted()) {
            atomics.end(0);
            taken++;
            inbound.addAtomic(AtomicRequest.identifier(request, at), result.original());
            pair.schedule();
        }
        return verdict;
    }

    /** A swap is a comparison of no bits. */
    private Verdict execute(MemorySegment request, long at, int key, long offset) {
        int kind = AtomicRequest.kind(request, at);
        long value = AtomicRequest.swapOrAdd(request, at);
        long mask = AtomicRequest.swapOrAddMask(request, at);
        if (kind == AtomicKind.FETCH_ADD.code()) {
            return memory.fetchAdd(rights.remoteAtomic(), key, offset, value, mask, result);
        }
        long compared = kind == AtomicKind.SWAP.code() ? 0 : AtomicRequest.compareMask(request, at);
        operands.compare(AtomicRequest.compare(request, at)).swap(value).masks(compared, mask);
        return memory.compareSwap(rights.remoteAtomic(), key, offset, operands, result);
    }

    /** Adds to a fault the page of an atomic request. */
    Verdict demandAtomic(Fault fault, MemorySegment request, long at) {
        return fault.add(
                rights.remoteAtomic(),
                AtomicRequest.stag(request, at),
                AtomicRequest.offset(request, at),
                Long.BYTES,
                Long.BYTES,
                Fault.Intent.ATOMIC);
    }

    /** Sends answers until the budget is spent (true), or none is left that can be sent now (false). */
    boolean transmit(int budget) {
        long limit = effort.spent() + budget;
        while (effort.spent() < limit && pair.state().answers()) {
            if (inbound.isEmpty() || pages.isWaiting()) {
                return false;
            }
            if (!(inbound.isAtomic() ? sendAtomic() : sendRead())) {
                return false;
            }
        }
        return true;
    }

    private boolean blocked() {
        upcalls.onBlocked();
        return false;
    }

    private boolean sendAtomic() {
        int size = UntaggedHeader.LENGTH + AtomicResponse.LENGTH;
        if (channel.room() < size) {
            return blocked();
        }
        long at = channel.begin(size);
        UntaggedHeader.write(channel.memory(), at, RdmapOpcode.ATOMIC_RESPONSE, true, 0, responses.msn(), 0);
        AtomicResponse.write(channel.memory(), at + UntaggedHeader.LENGTH, inbound.identifier(), inbound.original());
        channel.end();
        effort.addBytes(size);
        responses.advance(size, true);
        remove();
        return true;
    }

    private boolean sendRead() {
        int room = channel.room();
        if (room <= TaggedHeader.LENGTH) {
            return blocked();
        }
        int payload = (int) Math.min(room - TaggedHeader.LENGTH, inbound.remaining());
        boolean last = payload == inbound.remaining();
        long at = channel.begin(TaggedHeader.LENGTH + payload);
        TaggedHeader.write(
                channel.memory(), at, RdmapOpcode.READ_RESPONSE, last, inbound.sinkKey(), inbound.sinkOffset());
        Verdict verdict = memory.gather(
                rights.remoteRead(),
                inbound.sourceKey(),
                inbound.sourceOffset(),
                channel.memory(),
                at + TaggedHeader.LENGTH,
                payload);
        if (!verdict.granted()) {
            channel.cancel();
            return onRefused(verdict, payload);
        }
        channel.end();
        effort.addBytes(TaggedHeader.LENGTH + payload);
        pages.release();
        inbound.onSent(payload);
        if (last) {
            memory.endTouch(rights.remoteRead(), inbound.sourceKey(), READS + answered);
            remove();
        }
        return true;
    }

    private void remove() {
        inbound.remove();
        answered++;
    }

    private boolean onRefused(Verdict verdict, int payload) {
        if (verdict != Verdict.NOT_RESIDENT) {
            return fail(verdict);
        }
        counters.add(Counter.RESPONSE_PAGE_FAULTS);
        Verdict demanded = pages.prepare()
                .add(
                        rights.remoteRead(),
                        inbound.sourceKey(),
                        inbound.sourceOffset(),
                        payload,
                        inbound.remaining(),
                        Fault.Intent.READ);
        return demanded.granted() ? pages.start() : fail(demanded);
    }

    /** The memory became inaccessible after the request had been granted. */
    private boolean fail(Verdict verdict) {
        int key = inbound.sourceKey();
        long offset = inbound.sourceOffset();
        long length = inbound.remaining();
        remove();
        upcalls.refuse(Refusals.ofRequest(verdict), key, offset, length, verdict);
        return false;
    }

    private void onPages(Verdict outcome) {
        if (!outcome.granted() && !inbound.isEmpty()) {
            fail(outcome);
        }
        pair.scheduleResumed();
    }
}
