package org.verbena.adapter.iwarp.port;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.MpaOffer;
import org.verbena.adapter.iwarp.mpa.Negotiation;
import org.verbena.adapter.iwarp.mpa.StreamBuffers;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.adapter.iwarp.mpa.UnitWriter;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.adapter.pair.PairService;
import org.verbena.adapter.pair.Transport;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;
import org.verbena.wire.iwarp.MpaCrc;

/**
 * Carries reliable connections by iWARP over the streams of a network. A stream on which both sides have agreed gets a number; the queue pair
 * that names this address and number as its peer's gets the stream. Streams without an event cost no turn.
 */
public final class IwarpPort implements PairCarrier {
    /** Bytes of a stream buffer: a unit that is being taken apart, and one that arrives. */
    public static final int BUFFER_BYTES = 2 * UnitFormat.UNIT_MAX;

    /** Stream buffers of one engine; a stream that finds none waits until another stream is idle. */
    public static final int BUFFERS_MAX = 1024;

    /** Units that one stream takes in one turn; the rest waits for the next. */
    static final int UNITS_PER_TURN = 64;

    /** Turns that bytes wait at most for others that the same queue pair is about to send. */
    static final int HELD_TURNS_MAX = 8;

    /** Time for the last bytes of a stream to leave, and for the peer to end its direction. */
    public static final long FAREWELL_NS = 2_000_000_000;

    /** Time for the data at connect of a peer whose request was accepted. */
    static final long DATA_NS = 15_000_000_000L;

    /** Time that an initiator without a ready message gets for the reply, before units follow it. */
    static final long FIRST_UNIT_NS = 100_000_000;

    /** The owner of an opening that no consumer waits for. */
    static final OpeningOwner NOBODY = new OpeningOwner() {
        @Override
        public void onAgreed(int number, MpaAgreement agreement) {}

        @Override
        public void onRejected(PrivateData data) {}

        @Override
        public void onFailed(StreamFailure why, String detail) {}
    };

    /** The stream to a peer, among others to the same address. */
    private record Key(@Nullable Address remote, int number) {
        static Key of(AttachParameters parameters) {
            return new Key(parameters.remote(), parameters.remoteQueuePair());
        }
    }

    private final EngineParts parts;
    private final TimerWheel wheel;
    private final NanoClock clock;
    private final long receiveWaitNs;
    private final StreamNetwork network;
    private final StreamBuffers buffers = new StreamBuffers(BUFFER_BYTES, BUFFERS_MAX);
    private final MpaCrc crc = new MpaCrc();
    private final StreamCounters counters = new StreamCounters();
    private final Set<StreamOpening> openings = new HashSet<>();
    private final Map<Key, PortStream> waiting = new HashMap<>();
    private final Set<PortStream> attached = new HashSet<>();
    /** Streams on which bytes may have arrived; each once. */
    private final ArrayDeque<PortStream> readable = new ArrayDeque<>();
    /** Streams that have bytes to send, or are to end; each once. */
    private final ArrayDeque<PortStream> writable = new ArrayDeque<>();

    /** The buffers of the stream that sends now. */
    private final ByteBuffer[] outgoing = new ByteBuffer[UnitWriter.BUFFERS_MAX];

    private final WakeSource source = new Source();
    private @Nullable PortStream running;
    /** Completed when all streams have sent their bytes; null as long as the adapter does not close. */
    private @Nullable CompletableFuture<Void> drained;

    private int lastNumber;
    private int buffersCounted;
    private int progress;

    /**
     * A port without streams.
     *
     * @param network belongs to the port, which closes it
     * @param clock read when a time limit begins: a consumer's command may come long after the last turn
     * @param receiveWaitNs time that a send waits for a receive before the stream is terminated
     */
    public IwarpPort(EngineParts parts, StreamNetwork network, NanoClock clock, long receiveWaitNs) {
        this.parts = parts;
        this.wheel = parts.wheel();
        this.clock = clock;
        this.receiveWaitNs = receiveWaitNs;
        this.network = network;
    }

    // --- opening streams

    /**
     * Opens a stream to a peer and asks for a connection.
     *
     * @param localPort 0: the system chooses
     * @param data at connect, to be exchanged with those of the peer; null: none
     * @param limitNs time until both sides have agreed, and have exchanged data
     */
    public StreamOpening connect(
            Endpoint remote,
            int localPort,
            MpaOffer offer,
            @Nullable PrivateData data,
            long limitNs,
            OpeningOwner owner) {
        MpaOffer announced = data == null ? offer : offer.announcing(data);
        Negotiation negotiation = Negotiation.initiate(announced, Durations.deadlineNs(nowNs(), limitNs));
        StreamOpening opening = new StreamOpening(this, remote, localPort, negotiation, data, owner);
        openings.add(opening);
        return opening;
    }

    /**
     * Listens for streams.
     *
     * @param backlog streams that may be there without a request
     * @param limitNs time until the request of a stream is complete
     * @throws org.verbena.link.LinkException if the port is taken, or the address is not this side's
     */
    public StreamDoor listen(Endpoint at, int backlog, long limitNs, DoorOwner owner) {
        return new StreamDoor(this, at, backlog, limitNs, owner);
    }

    ByteBuffer[] outgoing() {
        return outgoing;
    }

    /** Its counters. Any thread. */
    public StreamCounters counters() {
        return counters;
    }

    StreamNetwork network() {
        return network;
    }

    long receiveWaitNs() {
        return receiveWaitNs;
    }

    long nowNs() {
        return clock.nowNs();
    }

    void schedule(WheelTimer timer, long deadlineNs) {
        wheel.schedule(timer, deadlineNs);
    }

    void cancel(WheelTimer timer) {
        wheel.cancel(timer);
    }

    /** Something has happened in this turn. */
    void progress() {
        progress++;
    }

    void onOver(StreamOpening opening) {
        openings.remove(opening);
    }

    /**
     * Adds a stream on which both sides have agreed.
     *
     * @param remote address of the peer
     * @param initiator whether this side sent the request
     * @return its number, for the queue pair that is to use it
     */
    public int add(Address remote, ByteStream stream, MpaAgreement agreement, boolean initiator) {
        int number = ++lastNumber;
        waiting.put(new Key(remote, number), new PortStream(this, stream, agreement, initiator, buffers, crc));
        return number;
    }

    /** Closes a stream that no queue pair has taken; does nothing if one has. */
    void drop(Address remote, int number) {
        PortStream unused = waiting.remove(new Key(remote, number));
        if (unused != null) {
            unused.close();
        }
    }

    // --- queue pairs

    @Override
    public boolean reaches(AttachParameters parameters) {
        return parameters.service() == PairService.RELIABLE_CONNECTION && waiting.containsKey(Key.of(parameters));
    }

    @Override
    public Transport attach(Pair pair, AttachParameters parameters) {
        PortStream stream = waiting.remove(Key.of(parameters));
        assert stream != null : "asked whether it is reached before";
        attached.add(stream);
        counters.addStreams(1);
        return stream.attach(pair, parts);
    }

    /** The stream is closed. */
    void onClosed(PortStream stream) {
        if (attached.remove(stream)) {
            counters.addStreams(-1);
        }
    }

    @Override
    public void onRemoved(int queuePair) {}

    // --- turns

    /** Bytes may have arrived on the stream, which is not listed for that. */
    void addReadable(PortStream stream) {
        readable.add(stream);
    }

    /** Bytes are to be sent on the stream, or it is to end; it is not listed for that. */
    void addWritable(PortStream stream) {
        writable.add(stream);
    }

    @Override
    public int receive(long nowNs, int max) {
        progress = 0;
        network.poll(nowNs);
        if (buffers.takeRelief()) {
            attached.forEach(PortStream::onRelief);
        }
        int done = 0;
        for (int left = readable.size(); left > 0; left--) {
            PortStream next = readable.remove();
            running = next;
            done += next.receive();
        }
        running = null;
        countBuffers();
        return done + progress;
    }

    @Override
    public void flush() {
        for (int left = writable.size(); left > 0; left--) {
            writable.remove().flush();
        }
        tellIfDrained();
        countBuffers();
    }

    private void countBuffers() {
        int taken = buffers.taken();
        if (taken != buffersCounted) {
            counters.addBuffers(taken - buffersCounted);
            buffersCounted = taken;
        }
    }

    @Override
    public void recover() {
        PortStream cut = running;
        running = null;
        if (cut != null) {
            cut.onMemoryFault();
        }
    }

    @Override
    public WakeSource source() {
        return source;
    }

    /** Streams of which bytes, or room for them, are known and not used yet end a sleep; so does the network. */
    private final class Source implements WakeSource {
        @Override
        public void attach(Sleeper sleeper) {
            network.attach(sleeper);
        }

        @Override
        public long sleepMaxNs() {
            return readable.size() + writable.size() > 0 ? 0 : network.sleepMaxNs();
        }
    }

    // --- what can be seen, and the end

    /** Buffers that streams have now. */
    public int buffersTaken() {
        return buffers.taken();
    }

    /** Streams that queue pairs have, or that are not closed yet after a queue pair has left them. */
    public int streams() {
        return attached.size();
    }

    /** Streams on which the two sides have not agreed yet, those of listeners without a request apart. */
    public int openings() {
        return openings.size();
    }

    /** The queue pairs are closed. Completes the future when all bytes of their streams are sent, or {@link #FAREWELL_NS} is over. */
    public void drain(CompletableFuture<Void> future) {
        drained = future;
        flush();
    }

    private void tellIfDrained() {
        CompletableFuture<Void> waiting = drained;
        if (waiting != null && attached.stream().allMatch(PortStream::isOutputEnded)) {
            waiting.complete(null);
        }
    }

    /** The adapter closes: gives up what is being opened, sends last bytes, and closes the network. */
    public void close() {
        List.copyOf(openings).forEach(StreamOpening::abandon);
        List.copyOf(waiting.values()).forEach(PortStream::close);
        waiting.clear();
        flush();
        new ArrayList<>(attached).forEach(PortStream::close);
        network.close();
    }
}
