package org.verbena.verbs;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.ReadyMessage;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.MpaOffer;
import org.verbena.adapter.iwarp.port.DoorOwner;
import org.verbena.adapter.iwarp.port.IwarpPort;
import org.verbena.adapter.iwarp.port.OpeningOwner;
import org.verbena.adapter.iwarp.port.StreamCounters;
import org.verbena.adapter.iwarp.port.StreamDoor;
import org.verbena.adapter.iwarp.port.StreamOpening;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamKind;
import org.verbena.time.Durations;
import org.verbena.wire.iwarp.DataAnnouncement;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;

/**
 * The streams of an adapter over iWARP, for code that makes connections. All calls and callbacks are on the engine's thread: {@link
 * ManagementPort#call} leads there.
 */
public final class StreamPort {
    /** A number of reads that the peer has not stated. */
    public static final int NOT_STATED = -1;

    /** A stream on which the two sides have not agreed yet. */
    public interface Opening {
        /** Address and port of the peer. */
        Endpoint remote();

        /** The private data of the peer's request; none before it is there. */
        PrivateData peerData();

        /** Whether the peer's request announces data at connect. */
        boolean announcesData();

        /** Reads and atomics that the peer serves at once, or {@link StreamPort#NOT_STATED}. */
        int peerInboundReads();

        /** Reads and atomics that the peer wants to have outstanding at once, or {@link StreamPort#NOT_STATED}. */
        int peerOutstandingReads();

        /** Whether a peer's request waits for an answer. */
        boolean isRequest();

        /** Names the object that is told the end, in place of the one before. */
        void owner(OpeningEnd owner);

        /**
         * Accepts the peer's request. The owner is told when the answer has left and data at connect are exchanged, without data within this call as
         * a rule. An offer has data only if the request {@linkplain #announcesData announces} some.
         */
        void accept(Offer offer);

        /** Rejects the peer's request. The owner is told nothing more. */
        void reject(PrivateData data);

        /** Gives it up, or closes the stream if no queue pair has taken it. The owner is told nothing more. */
        void abandon();
    }

    /** Is told the end of an {@link Opening}, by one of these methods, once. */
    public interface OpeningEnd {
        /** Both sides have agreed: a queue pair that connects to this address and number gets the stream. */
        void onAgreed(Agreed agreed);

        /** The peer's consumer has rejected the request. */
        void onRejected(PrivateData data);

        /**
         * There will be no connection.
         *
         * @param detail for people: what was found
         */
        void onFailed(StreamFailure why, String detail);
    }

    /** Takes the streams of a {@link Door}. */
    public interface Visitors {
        /** Whether one more request is taken; if not, peers wait. */
        boolean hasRoom();

        /** The kind of a stream between these addresses, if they decide it; null if the stream's first bytes do. */
        @Nullable
        StreamKind kind(Endpoint local, Endpoint remote);

        /** A peer asks for a connection: to be accepted or rejected, now or later. */
        void onRequest(Opening opening);

        /**
         * A stream arrived that does not speak iWARP, or no byte of it came within the time limit. The visitors name its user, or close it.
         *
         * @param stream has all bytes that the peer sent; its user reads once without being told
         */
        void onOther(StreamKind kind, ByteStream stream);
    }

    /** A listener of streams. */
    public interface Door {
        /** Where it listens, with the port it has. */
        Endpoint local();

        /** The visitors may have room again. */
        void onRoom();

        /** Stops listening; streams whose request is not complete are closed. */
        void close();
    }

    /**
     * What this side brings to the agreement.
     *
     * @param data at connect; null: none are exchanged
     */
    public record Offer(
            int inboundReads,
            int outstandingReads,
            PrivateData privateData,
            @Nullable PrivateData data) {}

    /**
     * What was agreed on.
     *
     * @param remote address and port of the peer; with the number it names the stream to a queue pair
     * @param number of the stream
     * @param inboundReads reads and atomics that this side serves at once
     * @param outstandingReads reads and atomics that this side may have outstanding at once
     * @param privateData of the peer's consumer
     * @param data at connect of the peer; null if none were exchanged
     * @param awaitsReady whether this side sends nothing before the peer's ready message
     */
    public record Agreed(
            Endpoint remote,
            int number,
            int inboundReads,
            int outstandingReads,
            PrivateData privateData,
            @Nullable PrivateData data,
            boolean awaitsReady) {}

    private final IwarpPort port;
    private final IwarpOptions options;

    StreamPort(IwarpPort port, IwarpOptions options) {
        this.port = port;
        this.options = options;
    }

    StreamCounters counters() {
        return port.counters();
    }

    IwarpPort port() {
        return port;
    }

    /**
     * Bytes of private data in a request or reply at most, whichever revision of MPA the peer chooses.
     *
     * @param withData whether data at connect are exchanged, which are announced in the same place
     */
    public int privateDataMax(boolean withData) {
        return MpaOffer.privateDataMax(MpaHeader.REVISION_2) - (withData ? DataAnnouncement.LENGTH : 0);
    }

    /**
     * Opens a stream to a peer and asks for a connection.
     *
     * @param localPort 0: the system chooses
     * @param limit time until both sides have agreed, that of the peer's consumer included
     */
    public Opening connect(Endpoint remote, int localPort, Offer offer, Duration limit, OpeningEnd owner) {
        Handle handle = new Handle();
        handle.owner = owner;
        handle.opening =
                port.connect(remote, localPort, request(offer), offer.data(), Durations.toNanos(limit), handle);
        return handle;
    }

    /**
     * Listens for streams.
     *
     * @param backlog streams that may be there without a request
     * @throws org.verbena.link.LinkException if the port is taken, or the address is not this side's
     */
    public Door listen(Endpoint at, int backlog, Visitors visitors) {
        StreamDoor door = port.listen(at, backlog, Durations.toNanos(options.negotiationLimit()), new Entry(visitors));
        return new Door() {
            @Override
            public Endpoint local() {
                return door.local();
            }

            @Override
            public void onRoom() {
                door.onRoom();
            }

            @Override
            public void close() {
                door.close();
            }
        };
    }

    private MpaOffer request(Offer offer) {
        return offer(offer, options.revision(), options.ready());
    }

    /** The revision is that of the request. A responder takes every ready message. */
    private MpaOffer reply(Offer offer) {
        return offer(offer, MpaHeader.REVISION_2, EnumSet.allOf(ReadyMessage.class));
    }

    private MpaOffer offer(Offer offer, int revision, Set<ReadyMessage> ready) {
        return new MpaOffer(
                revision,
                options.markers(),
                options.crc(),
                Math.min(offer.inboundReads(), MpaDepths.DEPTH_MAX),
                Math.min(offer.outstandingReads(), MpaDepths.DEPTH_MAX),
                ready,
                offer.privateData());
    }

    private final class Entry implements DoorOwner {
        private final Visitors visitors;

        Entry(Visitors visitors) {
            this.visitors = visitors;
        }

        @Override
        public boolean hasRoom() {
            return visitors.hasRoom();
        }

        @Override
        public @Nullable StreamKind kind(Endpoint local, Endpoint remote) {
            return visitors.kind(local, remote);
        }

        @Override
        public void onRequest(StreamOpening opening) {
            Handle handle = new Handle();
            handle.opening = opening;
            opening.owner(handle);
            visitors.onRequest(handle);
        }

        @Override
        public void onOther(StreamKind kind, ByteStream stream) {
            visitors.onOther(kind, stream);
        }
    }

    /** An opening as code outside the engine sees it. */
    private final class Handle implements Opening, OpeningOwner {
        private @Nullable StreamOpening opening;
        private @Nullable OpeningEnd owner;

        private StreamOpening opening() {
            StreamOpening known = opening;
            assert known != null : "set before the handle is given away";
            return known;
        }

        @Override
        public Endpoint remote() {
            return opening().remote();
        }

        @Override
        public PrivateData peerData() {
            return opening().peerData();
        }

        @Override
        public boolean announcesData() {
            return opening().announcesData();
        }

        @Override
        public int peerInboundReads() {
            return stated(opening().peerIrd());
        }

        @Override
        public int peerOutstandingReads() {
            return stated(opening().peerOrd());
        }

        private static int stated(int depth) {
            return depth == MpaDepths.NOT_NEGOTIATED ? NOT_STATED : depth;
        }

        @Override
        public boolean isRequest() {
            return opening().isRequest();
        }

        @Override
        public void owner(OpeningEnd other) {
            owner = other;
        }

        @Override
        public void accept(Offer offer) {
            opening().accept(reply(offer), offer.data());
        }

        @Override
        public void reject(PrivateData data) {
            opening().reject(data);
        }

        @Override
        public void abandon() {
            opening().abandon();
        }

        @Override
        public void onAgreed(int number, MpaAgreement agreement) {
            OpeningEnd told = owner;
            if (told == null) {
                abandon();
                return;
            }
            told.onAgreed(new Agreed(
                    remote(),
                    number,
                    agreement.ird(),
                    agreement.ord(),
                    peerData(),
                    opening().exchanged(),
                    agreement.ready() != null && !opening().isInitiator()));
        }

        @Override
        public void onRejected(PrivateData data) {
            OpeningEnd told = owner;
            if (told != null) {
                told.onRejected(data);
            }
        }

        @Override
        public void onFailed(StreamFailure why, String detail) {
            OpeningEnd told = owner;
            if (told != null) {
                told.onFailed(why, detail);
            }
        }
    }
}
