package org.verbena.adapter.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.ReadyMessage;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;

/**
 * Opens a connection on a byte stream: the initiator's request, the responder's reply (RFC 5044, 7; RFC 6581). Bytes of the peer's frame
 * may arrive in any pieces; those behind the frame are left alone. The owner sends {@link #output}, and calls {@link #onTimeout} when
 * {@link #deadlineNs} has passed.
 */
public final class Negotiation {
    public enum State {
        /** Of an initiator: the request is sent, the reply has not arrived. */
        AWAITING_REPLY,
        /** Of a responder: the request has not arrived. */
        AWAITING_REQUEST,
        /** Of a responder: the consumer has to accept or to reject. */
        REQUESTED,
        /** Both sides agree. */
        AGREED,
        /** The responder's consumer has rejected. */
        REJECTED,
        /** There will be no connection: {@link #failure} tells why. */
        FAILED
    }

    private final boolean initiator;
    private final long deadlineNs;
    private final MemorySegment input = MemorySegment.ofArray(new byte[MpaHeader.FRAME_MAX]);
    private int arrived;
    private MemorySegment output = MemorySegment.ofArray(new byte[0]);
    private @Nullable MpaOffer offer;
    private @Nullable MpaHeader peerFrame;
    private @Nullable MpaAgreement agreement;
    private @Nullable NegotiationFailure failure;
    private State state;

    private Negotiation(boolean initiator, State state, long deadlineNs) {
        this.initiator = initiator;
        this.state = state;
        this.deadlineNs = deadlineNs;
    }

    /** An initiator; its request is in {@link #output}. */
    public static Negotiation initiate(MpaOffer offer, long deadlineNs) {
        Negotiation made = new Negotiation(true, State.AWAITING_REPLY, deadlineNs);
        made.offer = offer;
        boolean enhanced = offer.revision() == MpaHeader.REVISION_2;
        made.write(
                new MpaHeader(
                        false,
                        offer.markers(),
                        offer.crc(),
                        false,
                        enhanced,
                        offer.revision(),
                        offer.privateData().length() + (enhanced ? MpaDepths.LENGTH : 0)),
                enhanced ? depths(offer.ready(), offer.ird(), withReady(offer.ord(), offer.ready())) : null,
                offer.privateData());
        return made;
    }

    /** A responder that waits for a request. */
    public static Negotiation respond(long deadlineNs) {
        return new Negotiation(false, State.AWAITING_REQUEST, deadlineNs);
    }

    private static MpaDepths depths(Set<ReadyMessage> ready, int ird, int ord) {
        return new MpaDepths(
                !ready.isEmpty(),
                ready.contains(ReadyMessage.SEND),
                ird,
                ready.contains(ReadyMessage.WRITE),
                ready.contains(ReadyMessage.READ),
                ord);
    }

    /** A read as ready message needs a place among the reads, even where the consumers make none. */
    private static int withReady(int depth, Set<ReadyMessage> ready) {
        return ready.contains(ReadyMessage.READ) ? Math.max(1, depth) : depth;
    }

    private void write(MpaHeader header, @Nullable MpaDepths depths, PrivateData privateData) {
        output = MemorySegment.ofArray(new byte[MpaHeader.LENGTH + header.privateDataLength()]);
        header.write(output, 0);
        int at = MpaHeader.LENGTH;
        if (depths != null) {
            depths.write(output, at);
            at += MpaDepths.LENGTH;
        }
        privateData.write(output, at, privateData.length());
    }

    public State state() {
        return state;
    }

    /** When to give up. A consumer that decides on a request is not limited. */
    public long deadlineNs() {
        return deadlineNs;
    }

    /** The frame to send; empty if there is none. */
    public MemorySegment output() {
        return output;
    }

    /** What was agreed on; null before. */
    public @Nullable MpaAgreement agreement() {
        return agreement;
    }

    /** Why there is no connection; null if it did not fail. */
    public @Nullable NegotiationFailure failure() {
        return failure;
    }

    /** The deadline has passed. */
    public void onTimeout() {
        if (isWaiting()) {
            fail(NegotiationFailure.TIMEOUT);
        }
    }

    /** The stream has ended. */
    public void onStreamEnd() {
        if (isWaiting() || state == State.REQUESTED) {
            fail(NegotiationFailure.STREAM_ENDED);
        }
    }

    private boolean isWaiting() {
        return state == State.AWAITING_REPLY || state == State.AWAITING_REQUEST;
    }

    private void fail(NegotiationFailure why) {
        failure = why;
        state = State.FAILED;
    }

    /**
     * Takes bytes of the peer's frame.
     *
     * @return how many were taken; the others belong to units
     */
    public int receive(MemorySegment bytes, long at, int length) {
        int taken = 0;
        while (isWaiting() && taken < length) {
            int goal = wanted();
            int count = Math.min(length - taken, goal - arrived);
            MemorySegment.copy(bytes, at + taken, input, arrived, count);
            arrived += count;
            taken += count;
            if (arrived == goal) {
                onPart();
            }
        }
        return taken;
    }

    /** Bytes of the peer's frame that are certain to be missing; 0 if none is waited for. No more may be read from the stream. */
    public int missing() {
        return isWaiting() ? wanted() - arrived : 0;
    }

    /** Reads and atomics that the peer takes at once, as its frame says; {@link MpaDepths#NOT_NEGOTIATED} if it says nothing. */
    public int peerIrd() {
        MpaDepths depths = peerDepths();
        return depths == null ? MpaDepths.NOT_NEGOTIATED : depths.ird();
    }

    /** Reads and atomics that the peer makes at once, as its frame says; {@link MpaDepths#NOT_NEGOTIATED} if it says nothing. */
    public int peerOrd() {
        MpaDepths depths = peerDepths();
        return depths == null ? MpaDepths.NOT_NEGOTIATED : depths.ord();
    }

    private @Nullable MpaDepths peerDepths() {
        MpaHeader frame = peerFrame;
        return frame == null || !frame.enhanced() ? null : MpaDepths.read(input, MpaHeader.LENGTH);
    }

    /** Bytes until the next check: the key, the header, the whole frame. */
    private int wanted() {
        if (arrived < MpaHeader.KEY_LENGTH) {
            return MpaHeader.KEY_LENGTH;
        }
        return arrived < MpaHeader.LENGTH ? MpaHeader.LENGTH : MpaHeader.LENGTH + privateDataLength();
    }

    private int privateDataLength() {
        return MpaHeader.privateDataLength(input, 0);
    }

    private void onPart() {
        if (initiator ? !MpaHeader.isReply(input, 0) : !MpaHeader.isRequest(input, 0)) {
            fail(NegotiationFailure.NOT_MPA);
        } else if (arrived >= MpaHeader.LENGTH) {
            MpaHeader header = MpaHeader.read(input, 0);
            assert header != null : "the key was checked";
            NegotiationFailure found = judge(header);
            if (found != null) {
                fail(found);
            } else if (arrived == MpaHeader.LENGTH + header.privateDataLength()) {
                onFrame(header);
            }
        }
    }

    private @Nullable NegotiationFailure judge(MpaHeader header) {
        int depths = header.enhanced() ? MpaDepths.LENGTH : 0;
        if (header.privateDataLength() > MpaHeader.PRIVATE_DATA_MAX || header.privateDataLength() < depths) {
            return NegotiationFailure.PRIVATE_DATA_LENGTH;
        }
        boolean known = header.revision() == MpaHeader.REVISION_1 || header.revision() == MpaHeader.REVISION_2;
        boolean fits = offer == null || header.revision() == offer.revision() || header.rejected();
        boolean allowed = !header.enhanced() || header.revision() == MpaHeader.REVISION_2;
        return known && fits && allowed ? null : NegotiationFailure.REVISION;
    }

    private void onFrame(MpaHeader header) {
        peerFrame = header;
        if (!initiator) {
            state = State.REQUESTED;
        } else if (header.rejected()) {
            state = State.REJECTED;
        } else {
            onReply(header);
        }
    }

    /** The private data of the peer's consumer; none before its frame has arrived. */
    public PrivateData peerData() {
        MpaHeader frame = peerFrame;
        if (frame == null) {
            return PrivateData.NONE;
        }
        int depths = frame.enhanced() ? MpaDepths.LENGTH : 0;
        return PrivateData.read(input, MpaHeader.LENGTH + depths, frame.privateDataLength() - depths);
    }

    private void onReply(MpaHeader reply) {
        MpaOffer own = requested();
        if (own.crc() && !reply.crc()) {
            fail(NegotiationFailure.CRC_DENIED);
        } else if (own.revision() == MpaHeader.REVISION_1) {
            agree(reply, own, own.ird(), own.ord(), null);
        } else if (!reply.enhanced()) {
            fail(NegotiationFailure.REVISION);
        } else {
            onDepths(reply, own, MpaDepths.read(input, MpaHeader.LENGTH));
        }
    }

    private void onDepths(MpaHeader reply, MpaOffer own, MpaDepths depths) {
        boolean asked = depths.peerToPeer() && !own.ready().isEmpty();
        ReadyMessage ready = asked ? common(own.ready(), depths) : null;
        if (depths.ord() != MpaDepths.NOT_NEGOTIATED && depths.ord() > own.ird()) {
            fail(NegotiationFailure.INSUFFICIENT_IRD);
        } else if (asked && ready == null) {
            fail(NegotiationFailure.NO_MATCHING_READY);
        } else {
            agree(reply, own, own.ird(), Math.min(own.ord(), limit(depths.ird(), own.ord())), ready);
        }
    }

    private MpaOffer requested() {
        MpaOffer own = offer;
        assert own != null : "an initiator has an offer";
        return own;
    }

    private static int limit(int depth, int unlimited) {
        return depth == MpaDepths.NOT_NEGOTIATED ? unlimited : depth;
    }

    /** The first message that both sides know. */
    private static @Nullable ReadyMessage common(Set<ReadyMessage> own, MpaDepths depths) {
        for (ReadyMessage each : ReadyMessage.values()) {
            if (own.contains(each) && isKnown(depths, each)) {
                return each;
            }
        }
        return null;
    }

    private static boolean isKnown(MpaDepths depths, ReadyMessage message) {
        return switch (message) {
            case WRITE -> depths.writeReady();
            case READ -> depths.readReady();
            case SEND -> depths.sendReady();
        };
    }

    private void agree(MpaHeader peer, MpaOffer own, int ird, int ord, @Nullable ReadyMessage ready) {
        boolean crc = own.crc() || peer.crc();
        agreement = new MpaAgreement(
                peer.revision(),
                new UnitFormat(peer.markers(), crc),
                new UnitFormat(own.markers(), crc),
                ird,
                ord,
                ready,
                peerData());
        state = State.AGREED;
    }

    /** Of a responder: accepts the request. The reply is in {@link #output} then. */
    public void accept(MpaOffer own) {
        MpaHeader request = pending();
        int revision = request.revision();
        boolean crc = own.crc() || request.crc();
        int depthBytes = request.enhanced() ? MpaDepths.LENGTH : 0;
        MpaHeader reply = new MpaHeader(
                true,
                own.markers(),
                crc,
                false,
                request.enhanced(),
                revision,
                own.privateData().length() + depthBytes);
        if (!request.enhanced()) {
            write(reply, null, own.privateData());
            agree(request, own, own.ird(), own.ord(), null);
            return;
        }
        MpaDepths asked = MpaDepths.read(input, MpaHeader.LENGTH);
        int ird = Math.min(own.ird(), limit(asked.ord(), own.ird()));
        int ord = Math.min(own.ord(), limit(asked.ird(), own.ord()));
        ReadyMessage ready = asked.peerToPeer() ? common(own.ready(), asked) : null;
        Set<ReadyMessage> answered = answered(asked, own, ready);
        write(reply, depths(answered, withReady(ird, answered), ord), own.privateData());
        agree(request, own, ird, ord, ready);
    }

    /** The messages in the reply: the one chosen; if there is none, all that this side knows, so that the initiator can tell. */
    private static Set<ReadyMessage> answered(MpaDepths asked, MpaOffer own, @Nullable ReadyMessage chosen) {
        if (!asked.peerToPeer()) {
            return Set.of();
        }
        return chosen == null ? own.ready() : EnumSet.of(chosen);
    }

    /** Of a responder: rejects the request. The reply is in {@link #output} then. */
    public void reject(PrivateData privateData) {
        MpaHeader request = pending();
        int depthBytes = request.enhanced() ? MpaDepths.LENGTH : 0;
        int length = privateData.length() + depthBytes;
        if (length > MpaHeader.PRIVATE_DATA_MAX) {
            throw new IllegalArgumentException(privateData.length() + " bytes of private data found, at most "
                    + (MpaHeader.PRIVATE_DATA_MAX - depthBytes) + " expected");
        }
        write(
                new MpaHeader(true, false, request.crc(), true, request.enhanced(), request.revision(), length),
                request.enhanced() ? depths(Set.of(), 0, 0) : null,
                privateData);
        state = State.REJECTED;
    }

    private MpaHeader pending() {
        MpaHeader request = peerFrame;
        if (state != State.REQUESTED || request == null) {
            throw new IllegalStateException("state " + state + " found, " + State.REQUESTED + " expected");
        }
        return request;
    }
}
