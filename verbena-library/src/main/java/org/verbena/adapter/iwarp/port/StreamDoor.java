package org.verbena.adapter.iwarp.port;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.verbena.adapter.iwarp.mpa.Negotiation;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.PrefixedStream;
import org.verbena.link.stream.StreamAcceptor;
import org.verbena.link.stream.StreamKind;
import org.verbena.link.stream.StreamListener;
import org.verbena.link.stream.StreamUser;
import org.verbena.time.Durations;
import org.verbena.time.WheelTimer;

/**
 * Takes the streams of a listener and tells them apart, by their addresses or by their first bytes: requests of iWARP go through the
 * negotiation, others to the owner as they are. The streams without a request are limited in number and time. The engine's thread.
 */
public final class StreamDoor implements StreamAcceptor {
    private final IwarpPort port;
    private final DoorOwner owner;
    private final long limitNs;
    /** Streams without a request at most. */
    private final int max;

    private final StreamListener listener;
    private final Set<Greeting> greetings = new HashSet<>();
    private final Set<StreamOpening> openings = new HashSet<>();
    private boolean closed;

    StreamDoor(IwarpPort port, Endpoint at, int backlog, long limitNs, DoorOwner owner) {
        this.port = port;
        this.owner = owner;
        this.limitNs = limitNs;
        this.max = backlog;
        this.listener = port.network().listen(at, backlog, this);
    }

    /** Where it listens, with the port it has. */
    public Endpoint local() {
        return listener.local();
    }

    /** The owner may have room for requests again. */
    public void onRoom() {
        if (!closed && hasRoom()) {
            listener.resume();
        }
    }

    private boolean hasRoom() {
        return greetings.size() + openings.size() < max && owner.hasRoom();
    }

    /** Stops listening. Streams whose kind is not known are closed; the others stay. */
    public void close() {
        if (!closed) {
            closed = true;
            listener.close();
            Set.copyOf(greetings).forEach(Greeting::close);
            Set.copyOf(openings).forEach(StreamOpening::abandon);
        }
    }

    @Override
    public void onStream(ByteStream stream) {
        port.progress();
        Greeting greeting = new Greeting(stream);
        greetings.add(greeting);
        StreamKind kind = owner.kind(stream.local(), stream.remote());
        if (kind != null) {
            greeting.handOver(kind);
        }
        if (!hasRoom()) {
            listener.pause();
        }
    }

    /** The request of a peer is complete. */
    void onRequest(StreamOpening opening) {
        openings.remove(opening);
        if (closed) {
            opening.abandon();
            return;
        }
        owner.onRequest(opening);
        if (!hasRoom()) {
            listener.pause();
        } else {
            listener.resume();
        }
    }

    /** There will be no request. */
    void onGone(StreamOpening opening) {
        openings.remove(opening);
        onRoom();
    }

    /** A stream whose kind is not known yet. */
    private final class Greeting implements StreamUser {
        private final ByteStream stream;
        private final long deadlineNs = Durations.deadlineNs(port.nowNs(), limitNs);
        private final ByteBuffer first = ByteBuffer.allocate(StreamKind.BYTES_MAX);
        private final WheelTimer limit = new WheelTimer(nowNs -> onLimit());

        Greeting(ByteStream stream) {
            this.stream = stream;
            stream.user(this);
            stream.wants(true, false);
            port.schedule(limit, deadlineNs);
        }

        @Override
        public void onReadable() {
            port.progress();
            StreamKind kind = null;
            while (kind == null) {
                int count = stream.read(first);
                if (count == 0) {
                    return;
                }
                if (count == ByteStream.END) {
                    close();
                    return;
                }
                kind = StreamKind.of(first);
                if (kind != null) {
                    handOver(kind);
                }
            }
        }

        void handOver(StreamKind kind) {
            leave();
            stream.wants(false, false);
            if (kind != StreamKind.RDMA) {
                owner.onOther(kind, first.position() == 0 ? stream : new PrefixedStream(stream, first.flip()));
                return;
            }
            Negotiation negotiation = Negotiation.respond(deadlineNs);
            negotiation.receive(MemorySegment.ofBuffer(first.flip()), 0, first.limit());
            StreamOpening opening = new StreamOpening(port, stream, negotiation, StreamDoor.this);
            openings.add(opening);
            opening.onReadable();
        }

        /** A peer that waits for this side's first bytes speaks a plain protocol. */
        private void onLimit() {
            handOver(StreamKind.PLAIN);
        }

        private void leave() {
            port.cancel(limit);
            greetings.remove(this);
            onRoom();
        }

        void close() {
            leave();
            stream.close();
        }

        @Override
        public void onWritable() {}
    }
}
