package org.verbena.adapter.iwarp.port;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.iwarp.ddp.DdpReceiver;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.ReadyMessage;
import org.verbena.adapter.iwarp.mpa.StreamBuffer;
import org.verbena.adapter.iwarp.mpa.StreamBuffers;
import org.verbena.adapter.iwarp.mpa.UnitReader;
import org.verbena.adapter.iwarp.mpa.UnitWriter;
import org.verbena.adapter.iwarp.rdmap.RdmapConnection;
import org.verbena.adapter.iwarp.rdmap.RdmapOwner;
import org.verbena.adapter.pair.Pair;
import org.verbena.link.stream.ByteStream;
import org.verbena.wire.iwarp.MpaCrc;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * One stream and the connection on it: moves bytes between the stream and the units. It reads no further while the connection waits for a
 * page or the buffer is full. When the connection has ended, its last bytes are sent, then its direction of the stream ends.
 */
final class PortStream implements RdmapOwner {
    /** The key in a write of length 0 that tells that the initiator is ready, as Linux siw has it. */
    private static final int READY_STAG = 1;

    private final IwarpPort port;
    private final ByteStream stream;
    private final MpaAgreement agreement;
    private final boolean initiator;
    private final UnitReader reader;
    private final UnitWriter writer;
    private @Nullable Pair pair;
    private @Nullable RdmapConnection connection;
    private @Nullable DdpReceiver receiver;
    /** The connection waits, and has not asked for input since. */
    private boolean paused;

    private boolean ended;
    private boolean outputEnded;

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
        this.reader = new UnitReader(buffers, agreement.received(), crc);
        this.writer = new UnitWriter(buffers, agreement.sent(), stream.packetMax(), crc);
    }

    RdmapConnection attach(Pair owner, EngineParts parts) {
        RdmapConnection made = new RdmapConnection(owner, parts, writer, agreement.ird(), agreement.ord(), this);
        pair = owner;
        connection = made;
        receiver = new DdpReceiver(made);
        if (agreement.ready() != null) {
            prepareReady(made, agreement.ready());
        }
        return made;
    }

    private void prepareReady(RdmapConnection made, ReadyMessage ready) {
        if (!initiator) {
            made.hold();
            return;
        }
        if (ready != ReadyMessage.WRITE) {
            throw new IllegalStateException("ready message " + ready + " found, WRITE expected");
        }
        long at = writer.begin(TaggedHeader.LENGTH);
        TaggedHeader.write(writer.memory(), at, RdmapOpcode.WRITE, true, READY_STAG, 0);
        writer.end();
    }

    // --- input

    /** Takes bytes that have arrived; how many pieces. */
    int receive() {
        RdmapConnection to = connection;
        DdpReceiver units = receiver;
        if (to == null || units == null || ended || paused) {
            return 0;
        }
        long before = reader.units();
        int pieces = 0;
        while (!ended && !paused && reader.units() - before < IwarpPort.UNITS_PER_TURN) {
            if (!deliver(to, units) || !read(to)) {
                break;
            }
            pieces++;
        }
        if (reader.units() > before) {
            to.release();
        }
        return pieces + (int) (reader.units() - before);
    }

    /** Offers whole units; whether more bytes are wanted. */
    private boolean deliver(RdmapConnection to, DdpReceiver units) {
        switch (reader.deliver(units, IwarpPort.UNITS_PER_TURN)) {
            case HUNGRY -> {
                return !reader.hasUnit();
            }
            case WAITING -> paused = true;
            case STOPPED -> end();
            case DAMAGED -> to.onStreamEnd(reader.error());
        }
        return false;
    }

    /** Reads from the stream; false if nothing has arrived. */
    private boolean read(RdmapConnection to) {
        StreamBuffer buffer = reader.buffer();
        if (buffer == null) {
            return false;
        }
        ByteBuffer bytes = buffer.bytes().limit(buffer.capacity()).position(reader.freeAt());
        int count = stream.read(bytes);
        if (count > 0) {
            reader.onReceived(count);
            return true;
        }
        boolean within = reader.available() > 0;
        if (!within) {
            reader.release();
        }
        if (count == ByteStream.END) {
            to.onStreamEnd(within ? TerminateCode.MPA_STREAM_LOST : null);
        }
        return false;
    }

    @Override
    public void onInputWanted() {
        paused = false;
    }

    // --- output

    /** Gives bytes to the stream. */
    void flush() {
        RdmapConnection from = connection;
        if (from != null && from.draft().isPending()) {
            from.draft().send(writer);
        }
        if (!outputEnded && !write() && from != null) {
            writer.release();
            outputEnded = true;
            from.onStreamEnd(null);
        }
        if (from == null) {
            return;
        }
        if (!ended) {
            from.onRoom();
        } else if (!outputEnded && writer.buffer() == null && !from.draft().isPending()) {
            outputEnded = true;
            stream.endOutput();
        }
    }

    /** Writes until the stream takes no more; false if it is lost. */
    private boolean write() {
        for (StreamBuffer buffer = writer.buffer(); buffer != null; buffer = writer.buffer()) {
            int at = writer.pendingAt();
            int count = stream.write(buffer.bytes().limit(at + writer.pending()).position(at));
            if (count == ByteStream.END) {
                return false;
            }
            if (count == 0) {
                return true;
            }
            writer.onSent(count);
        }
        return true;
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
        }
    }

    void onMemoryFault() {
        Pair owner = pair;
        if (owner != null) {
            owner.onMemoryFault();
        }
    }

    @Override
    public void onDetached() {
        end();
        writer.release();
        stream.close();
        port.detach(this);
    }
}
