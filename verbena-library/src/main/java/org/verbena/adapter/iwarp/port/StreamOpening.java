package org.verbena.adapter.iwarp.port;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.MpaOffer;
import org.verbena.adapter.iwarp.mpa.Negotiation;
import org.verbena.adapter.iwarp.mpa.NegotiationFailure;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamUser;
import org.verbena.time.WheelTimer;
import org.verbena.wire.iwarp.DataAnnouncement;
import org.verbena.wire.iwarp.MpaHeader;

/**
 * A stream on which the two sides have not agreed yet: sends and takes the frames of the negotiation, within a time limit, and the data at connect
 * behind them if both sides announce some. It reads no byte behind these. The engine's thread.
 */
public final class StreamOpening implements StreamUser {
    private final IwarpPort port;
    private final Negotiation negotiation;
    private final boolean initiator;
    private final ByteStream stream;
    private final WheelTimer limit = new WheelTimer(nowNs -> onLimit());
    private final ByteBuffer input = ByteBuffer.allocate(MpaHeader.FRAME_MAX);
    private ByteBuffer output;
    private @Nullable OpeningOwner owner;
    /** Data at connect of this side; null: it exchanges none. */
    private @Nullable PrivateData ownData;
    /** Those of the peer, as far as they have arrived; null before the exchange, and without one. */
    private @Nullable ByteBuffer peerBytes;
    /** The door that a peer's stream came through; null once its request is there. */
    private @Nullable StreamDoor door;
    /** Both frames are known: data at connect are exchanged, if there are any. */
    private boolean exchangeBegun;
    /** The system of the peer has taken the stream. */
    private boolean connected;
    /** The stream is closed, or belongs to the port. */
    private boolean over;
    /** Of the stream, once both sides have agreed. */
    private int number;

    /** Of a stream that this side opens. */
    StreamOpening(
            IwarpPort port,
            Endpoint remote,
            int localPort,
            Negotiation negotiation,
            @Nullable PrivateData data,
            OpeningOwner owner) {
        this.port = port;
        this.ownData = data;
        this.negotiation = negotiation;
        this.initiator = true;
        this.output = frame();
        this.owner = owner;
        port.counters().addOpenings(1);
        port.schedule(limit, negotiation.deadlineNs());
        this.stream = port.network().connect(remote, localPort, this);
    }

    /** Of a stream that a peer has opened. */
    StreamOpening(IwarpPort port, ByteStream stream, Negotiation negotiation, StreamDoor door) {
        this.port = port;
        this.negotiation = negotiation;
        this.initiator = false;
        this.output = frame();
        this.door = door;
        this.connected = true;
        this.stream = stream;
        port.counters().addOpenings(1);
        port.schedule(limit, negotiation.deadlineNs());
        stream.user(this);
    }

    private ByteBuffer frame() {
        return negotiation.output().asByteBuffer();
    }

    /** Names the object that is told the end. */
    public void owner(OpeningOwner other) {
        owner = other;
    }

    /** Whether this side opened the stream. */
    public boolean isInitiator() {
        return initiator;
    }

    /** Address and port of the peer. */
    public Endpoint remote() {
        return stream.remote();
    }

    /** The private data of the peer's frame, for the consumer; none before it has arrived. */
    public PrivateData peerData() {
        return DataAnnouncement.strip(negotiation.peerData());
    }

    /** Whether the peer's frame announces data at connect. */
    public boolean announcesData() {
        return DataAnnouncement.read(negotiation.peerData()) != null;
    }

    /** The data at connect of the peer, once both sides have agreed; null if the two exchange none. */
    public @Nullable PrivateData exchanged() {
        ByteBuffer bytes = peerBytes;
        return bytes == null
                ? null
                : PrivateData.read(MemorySegment.ofBuffer(bytes.duplicate().flip()), 0, bytes.position());
    }

    /** Reads and atomics that the peer takes at once; {@link org.verbena.wire.iwarp.MpaDepths#NOT_NEGOTIATED} if it does not say. */
    public int peerIrd() {
        return negotiation.peerIrd();
    }

    /** Reads and atomics that the peer makes at once; {@link org.verbena.wire.iwarp.MpaDepths#NOT_NEGOTIATED} if it does not say. */
    public int peerOrd() {
        return negotiation.peerOrd();
    }

    /** Whether a peer's request waits for an answer. */
    public boolean isRequest() {
        return !over && negotiation.state() == Negotiation.State.REQUESTED;
    }

    /**
     * Accepts the peer's request. The owner is told when the reply is sent, within this call as a rule, and data at connect are exchanged.
     *
     * @param data at connect; null: none. The peer's request has to announce some too
     */
    public void accept(MpaOffer offer, @Nullable PrivateData data) {
        ownData = data;
        negotiation.accept(data == null ? offer : offer.announcing(data));
        answer();
    }

    /** Rejects the peer's request. The owner is told nothing more. */
    public void reject(PrivateData data) {
        negotiation.reject(data);
        port.counters().onRejected();
        owner = null;
        answer();
    }

    private void answer() {
        output = frame();
        port.schedule(limit, port.nowNs() + (ownData == null ? IwarpPort.FAREWELL_NS : IwarpPort.DATA_NS));
        goOn();
    }

    /** Both frames are there: the data of this side follow its own frame, those of the peer follow the other. */
    private void beginExchange() {
        PrivateData own = ownData;
        DataAnnouncement announced = DataAnnouncement.read(negotiation.peerData());
        if (own == null && announced != null && initiator) {
            fail(StreamFailure.PROTOCOL, "the reply announces data at connect that were not asked for");
            return;
        }
        if (own == null || announced == null) {
            return;
        }
        if (!announced.fits()) {
            fail(
                    StreamFailure.PROTOCOL,
                    "data at connect of " + Integer.toUnsignedString(announced.length()) + " bytes announced, at most "
                            + DataAnnouncement.DATA_MAX_BYTES + " expected");
            return;
        }
        peerBytes = ByteBuffer.allocate(announced.length());
        ByteBuffer rest = output;
        output = ByteBuffer.allocate(rest.remaining() + own.length())
                .put(rest)
                .put(own.bytes())
                .flip();
    }

    private boolean awaitsData() {
        ByteBuffer bytes = peerBytes;
        return bytes != null && bytes.hasRemaining();
    }

    /** Takes bytes of the peer's data that have come. */
    private void takeData() {
        ByteBuffer bytes = peerBytes;
        int count = 1;
        while (bytes != null && bytes.hasRemaining() && count > 0) {
            count = stream.read(bytes);
        }
        if (count == ByteStream.END) {
            fail(StreamFailure.ENDED, "the stream ended before the peer's data at connect");
        }
    }

    /** Gives the attempt, or a stream that no queue pair has taken, up. The owner is told nothing more. Does nothing afterwards. */
    public void abandon() {
        owner = null;
        if (over) {
            port.drop(remote(), number);
        } else {
            close();
        }
    }

    // --- events of the stream

    @Override
    public void onConnected() {
        connected = true;
        goOn();
    }

    @Override
    public void onFailed(StreamFailure why, String detail) {
        fail(why, detail);
    }

    @Override
    public void onReadable() {
        if (over) {
            return;
        }
        port.progress();
        boolean more = true;
        while (more && !over && negotiation.missing() > 0) {
            more = read(negotiation.missing());
        }
        if (!over) {
            takeData();
        }
        if (!initiator && !over && more && !isAwaiting()) {
            readNothing();
        }
        goOn();
    }

    private boolean isAwaiting() {
        return negotiation.missing() > 0;
    }

    /** Takes bytes of the peer's frame; whether there may be more. */
    private boolean read(int length) {
        int count = stream.read(input.clear().limit(length));
        if (count == ByteStream.END) {
            negotiation.onStreamEnd();
            return false;
        }
        negotiation.receive(MemorySegment.ofBuffer(input.flip()), 0, Math.max(0, count));
        return count > 0;
    }

    /** No byte may come between the peer's request and the answer. */
    private void readNothing() {
        if (negotiation.state() == Negotiation.State.REQUESTED || negotiation.state() == Negotiation.State.REJECTED) {
            int count = stream.read(input.clear().limit(1));
            if (count == ByteStream.END) {
                fail(StreamFailure.ENDED, NegotiationFailure.STREAM_ENDED.reason());
            } else if (count > 0 && negotiation.state() == Negotiation.State.REQUESTED) {
                fail(StreamFailure.PROTOCOL, "the peer sent bytes behind its request before the reply");
            }
        }
    }

    @Override
    public void onWritable() {
        port.progress();
        goOn();
    }

    // --- progress

    private void goOn() {
        if (over || !connected) {
            return;
        }
        if (negotiation.state() == Negotiation.State.AGREED && !exchangeBegun) {
            exchangeBegun = true;
            beginExchange();
            if (over) {
                return;
            }
            takeData(); // bytes that have come behind the frame
            if (over) {
                return;
            }
        }
        if (!write()) {
            negotiation.onStreamEnd();
            fail(StreamFailure.ENDED, NegotiationFailure.STREAM_ENDED.reason());
            return;
        }
        StreamDoor entered = door;
        if (isRequest() && entered != null) {
            door = null;
            port.cancel(limit);
            stream.wants(true, false);
            entered.onRequest(this);
            return;
        }
        boolean sent = !output.hasRemaining();
        switch (negotiation.state()) {
            case AGREED -> {
                if (sent && !awaitsData()) {
                    agree();
                    return;
                }
            }
            case REJECTED -> {
                if (initiator) {
                    port.counters().onRejected();
                    end().onRejected(negotiation.peerData());
                    return;
                }
                if (sent) {
                    stream.endOutput();
                }
            }
            case FAILED -> {
                NegotiationFailure why = negotiation.failure();
                assert why != null : "a failure has a reason";
                fail(kind(why), why.reason());
                return;
            }
            default -> {}
        }
        stream.wants(true, !sent);
    }

    private static StreamFailure kind(NegotiationFailure why) {
        return switch (why) {
            case TIMEOUT -> StreamFailure.TIMED_OUT;
            case STREAM_ENDED -> StreamFailure.ENDED;
            default -> StreamFailure.PROTOCOL;
        };
    }

    /** Sends bytes of the frame; false if the stream is lost. */
    private boolean write() {
        while (output.hasRemaining()) {
            int count = stream.write(output);
            if (count <= 0) {
                return count == 0;
            }
        }
        return true;
    }

    private void agree() {
        MpaAgreement agreement = negotiation.agreement();
        assert agreement != null : "both sides have agreed";
        over = true;
        port.counters().onAgreed();
        port.counters().addOpenings(-1);
        port.cancel(limit);
        port.onOver(this);
        stream.wants(false, false);
        number = port.add(remote(), stream, agreement, initiator);
        OpeningOwner told = owner;
        if (told == null) {
            port.drop(remote(), number);
        } else {
            told.onAgreed(number, agreement);
        }
    }

    private void onLimit() {
        negotiation.onTimeout();
        fail(
                StreamFailure.TIMED_OUT,
                awaitsData()
                        ? "the peer's data at connect did not arrive in time"
                        : connected ? NegotiationFailure.TIMEOUT.reason() : "the peer's system did not answer");
    }

    private void fail(StreamFailure why, String detail) {
        if (!over) {
            if (negotiation.state() != Negotiation.State.REJECTED) { // that was counted with the answer
                port.counters().onFailed(why);
            }
            end().onFailed(why, detail);
        }
    }

    /** Closes the stream; its owner, to be told. */
    private OpeningOwner end() {
        OpeningOwner told = owner;
        close();
        return told == null ? IwarpPort.NOBODY : told;
    }

    private void close() {
        over = true;
        port.counters().addOpenings(-1);
        port.cancel(limit);
        stream.close();
        port.onOver(this);
        StreamDoor entered = door;
        if (entered != null) {
            door = null;
            entered.onGone(this);
        }
    }
}
