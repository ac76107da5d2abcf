package org.verbena.adapter.iwarp.port;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.ReadyMessage;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.SegmentReceiver;
import org.verbena.adapter.iwarp.ddp.DdpReceiver;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.StreamBuffer;
import org.verbena.adapter.iwarp.mpa.StreamBuffers;
import org.verbena.adapter.iwarp.mpa.UnitReader;
import org.verbena.adapter.iwarp.mpa.UnitWriter;
import org.verbena.adapter.iwarp.rdmap.RdmapConnection;
import org.verbena.adapter.iwarp.rdmap.RdmapOwner;
import org.verbena.adapter.pair.Pair;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamUser;
import org.verbena.time.WheelTimer;
import org.verbena.wire.iwarp.MpaCrc;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * One stream and the connection on it: moves bytes between the stream and the units. It reads no further while the connection waits for a
 * page or a receive, or the buffer is full. When the connection has ended, its last bytes are sent, then its direction of the stream ends; what the peer
 * still sends is read and forgotten, so that the peer gets the last bytes. The stream is closed when the peer has ended too, or after a
 * time limit.
 */
final class PortStream implements RdmapOwner, StreamUser {
    private final IwarpPort port;
    private final ByteStream stream;
    private final MpaAgreement agreement;
    private final boolean initiator;
    private final UnitReader reader;
    private final StreamOutput output;
    private final StreamBuffers buffers;
    private final StreamCounters counters;
    private final WheelTimer farewell = new WheelTimer(nowNs -> close());
    private final WheelTimer courtesy = new WheelTimer(nowNs -> onCourtesyOver());
    private @Nullable Pair pair;
    private @Nullable RdmapConnection connection;
    private @Nullable ReceiveGate gate;
    private @Nullable SegmentReceiver receiver;
    private boolean listedReadable;
    private boolean listedWritable;
    /** The connection waits, and has not asked for input since. */
    private boolean paused;
    /** The connection has asked for input since the units were last offered. */
    private boolean inputWanted;
    /** No buffer was free for input. */
    private boolean starved;
    /** The connection has ended: its last bytes are sent, input is forgotten. */
    private boolean ended;

    /** The ready message has found no buffer yet. */
    private boolean readyDue;

    private boolean inputEnded;
    private boolean closed;
    /** When the wait for a page began; meaningful while {@link #awaitsPage}. */
    private long pausedNs;

    private boolean awaitsPage;

    PortStream(
            IwarpPort port,
            ByteStream stream,
            MpaAgreement agreement,
            boolean initiator,
            StreamBuffers buffers,
            MpaCrc crc) {
        this.port = port;
        this.stream = stream;
        this.agreement = agreement;
        this.initiator = initiator;
        this.buffers = buffers;
        this.counters = port.counters();
        this.reader = new UnitReader(buffers, agreement.received(), crc);
        this.output = new StreamOutput(
                port, stream, new UnitWriter(buffers, agreement.sent(), stream.packetMax(), crc, this::listWritable));
    }

    RdmapConnection attach(Pair owner, EngineParts parts) {
        RdmapConnection made =
                new RdmapConnection(owner, parts, output.writer(), agreement.ird(), agreement.ord(), this);
        pair = owner;
        connection = made;
        DdpReceiver segments = new DdpReceiver(made.input());
        ReceiveGate sends = new ReceiveGate(port, owner.receives(), segments, this::onInputWanted);
        gate = sends;
        boolean awaitsSend = !initiator && agreement.ready() == ReadyMessage.SEND;
        receiver = awaitsSend ? new ReadySend(sends, segments.queue(RdmapOpcode.SENDS)) : sends;
        if (!initiator) {
            awaitFirstUnit(made);
        } else if (agreement.ready() != null) {
            readyDue = !made.sendReady(agreement.ready());
            if (readyDue) {
                made.hold(false); // nothing is sent before
            }
        }
        stream.user(this);
        listReadable(); // bytes that arrived with the peer's frame
        want();
        return made;
    }

    /**
     * A responder sends nothing before the initiator's first unit (RFC 5044, 7.1): Linux siw gives up a connection if a unit is there when it looks
     * for the reply. An initiator whose program waits for this side's first message never sends that unit; without an agreed ready message
     * it gets the message after a time in which it has taken the reply.
     */
    private void awaitFirstUnit(RdmapConnection made) {
        boolean agreed = agreement.ready() != null;
        made.hold(agreed);
        if (!agreed) {
            port.schedule(courtesy, port.nowNs() + IwarpPort.FIRST_UNIT_NS);
        }
    }

    private void release(RdmapConnection held) {
        if (held.release()) {
            port.cancel(courtesy);
        }
    }

    private void onCourtesyOver() {
        RdmapConnection held = connection;
        if (!ended && held != null) {
            release(held);
        }
    }

    @Override
    public String peer() {
        return stream.remote().toString();
    }

    // --- events of the stream

    @Override
    public void onReadable() {
        listReadable();
    }

    private void listReadable() {
        if (!listedReadable) {
            listedReadable = true;
            port.addReadable(this);
        }
    }

    @Override
    public void onWritable() {
        listWritable();
    }

    private void listWritable() {
        if (!listedWritable) {
            listedWritable = true;
            port.addWritable(this);
        }
    }

    /** A buffer may be free again. */
    void onRelief() {
        if (starved) {
            starved = false;
            listReadable();
        }
        listWritable();
    }

    private void want() {
        if (!closed) {
            boolean reads = !inputEnded && (ended || (!paused && !starved));
            stream.wants(reads, output.wantsRoom());
        }
    }

    // --- input

    /** Takes bytes that have arrived; how many pieces. */
    int receive() {
        listedReadable = false;
        RdmapConnection to = connection;
        SegmentReceiver units = receiver;
        if (closed || to == null || units == null) {
            return 0;
        }
        if (ended) {
            return forget();
        }
        if (paused) {
            return 0;
        }
        long before = reader.units();
        int pieces = 0;
        boolean more = true;
        while (more && !ended && !paused && reader.units() - before < IwarpPort.UNITS_PER_TURN) {
            more = deliver(to, units) && read(to);
            pieces += more ? 1 : 0;
        }
        if (reader.units() > before) {
            counters.onReceived(reader.units() - before, 0);
            if (!readyDue) {
                release(to);
            }
        }
        if (more && !ended && !paused) {
            listReadable(); // the rest waits for the next turn
        } else if (!buffers.hasPlenty()) {
            reader.putAside();
        }
        want();
        return pieces + (int) (reader.units() - before);
    }

    /** Offers whole units; whether more bytes are wanted. */
    private boolean deliver(RdmapConnection to, SegmentReceiver units) {
        inputWanted = false;
        switch (reader.deliver(units, IwarpPort.UNITS_PER_TURN)) {
            case HUNGRY -> {
                return true;
            }
            case WAITING -> {
                if (!inputWanted) { // pages that are there at once are told from within
                    pause(awaitsReceive());
                }
            }
            case STOPPED -> end();
            case DAMAGED -> {
                counters.onDamaged(reader.error());
                to.onStreamEnd(reader.error());
            }
        }
        return false;
    }

    private boolean awaitsReceive() {
        ReceiveGate sends = gate;
        return sends != null && sends.isWaiting();
    }

    private void pause(boolean forReceive) {
        paused = true;
        counters.addPaused(1);
        if (!forReceive) {
            awaitsPage = true;
            pausedNs = port.nowNs();
            counters.onPageWait();
        }
    }

    private void endPause() {
        if (paused) {
            paused = false;
            counters.addPaused(-1);
            if (awaitsPage) {
                awaitsPage = false;
                counters.onPageWaitEnd(port.nowNs() - pausedNs);
            }
        }
    }

    /** Reads from the stream; false if nothing has arrived. */
    private boolean read(RdmapConnection to) {
        if (reader.hasUnit()) {
            return true;
        }
        StreamBuffer buffer = reader.buffer();
        if (buffer == null) {
            starved = true;
            counters.onBufferWait();
            return false;
        }
        ByteBuffer bytes = buffer.bytes().limit(buffer.capacity()).position(reader.freeAt());
        int count = stream.read(bytes);
        if (count > 0) {
            reader.onReceived(count);
            counters.onReceived(0, count);
            return true;
        }
        boolean within = reader.available() > 0;
        if (!within) {
            reader.release();
        }
        if (count == ByteStream.END) {
            inputEnded = true;
            to.onStreamEnd(within ? TerminateCode.MPA_STREAM_LOST : null);
        }
        return false;
    }

    /** Reads and forgets what the peer still sends; how many pieces. */
    private int forget() {
        StreamBuffer scratch = inputEnded ? null : buffers.take();
        if (scratch == null) {
            return 0;
        }
        int count = stream.read(scratch.bytes().clear());
        buffers.give(scratch);
        inputEnded = count == ByteStream.END;
        closeIfOver();
        want();
        return count > 0 ? 1 : 0;
    }

    private void closeIfOver() {
        if (inputEnded && output.isEnded()) {
            close();
        }
    }

    @Override
    public void onInputWanted() {
        inputWanted = true;
        endPause();
        listReadable();
        want();
    }

    // --- output

    /** Gives bytes to the stream. */
    void flush() {
        listedWritable = false;
        RdmapConnection from = connection;
        if (closed || from == null) {
            return;
        }
        ReadyMessage ready = agreement.ready();
        if (readyDue && !ended && ready != null && from.sendReady(ready)) {
            readyDue = false;
            release(from);
        }
        if (from.draft().isPending()) {
            from.draft().send(output.writer());
        }
        output.count(from.draft());
        if (!ended && output.holdsBack(from.sendsMore())) {
            listWritable();
            return;
        }
        if (!output.send() && !ended) {
            from.onStreamEnd(null);
        }
        if (ended) {
            output.endIfSent(from.draft());
        } else {
            from.onRoom();
        }
        closeIfOver();
        want();
    }

    @Override
    public void onTerminated(@Nullable TerminateCode reason) {
        counters.onTerminateReceived(reason);
    }

    boolean isOutputEnded() {
        return output.isEnded();
    }

    // --- end

    @Override
    public void onEnded() {
        end();
    }

    private void end() {
        if (!ended) {
            ended = true;
            reader.release();
            endPause();
            stopGate();
            port.schedule(farewell, port.nowNs() + IwarpPort.FAREWELL_NS);
            listReadable();
            listWritable();
        }
    }

    private void stopGate() {
        ReceiveGate stopped = gate;
        if (stopped != null) {
            stopped.stop();
        }
    }

    void onMemoryFault() {
        Pair owner = pair;
        if (owner != null) {
            owner.onMemoryFault();
        }
    }

    /** The queue pair is of no use to the stream any more; the stream may still have bytes to send. */
    @Override
    public void onDetached() {
        end();
    }

    /** Ends both directions at once. */
    void close() {
        if (!closed) {
            closed = true;
            ended = true;
            endPause();
            port.cancel(farewell);
            port.cancel(courtesy);
            stopGate();
            reader.release();
            output.writer().release();
            stream.close();
            port.onClosed(this);
        }
    }
}
