package org.verbena.link.wrap;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamUser;
import org.verbena.link.wrap.SegmentCapture.End;
import org.verbena.wire.ip.Tcp;
import org.verbena.wire.pcap.PcapngWriter.Direction;

/** A stream whose bytes go into a capture: those written when the network takes them, those that arrive when they are read. */
final class CapturedStream implements ByteStream {
    /** Bytes of data in a frame, at most: the length field of IP has 16 bits. */
    private static final int DATA_MAX = 65_000;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final ByteStream inner;
    private final SegmentCapture capture;
    private final End here;
    private final End there;
    private final int dataMax;
    /** Bytes that have arrived and are not in the capture yet. */
    private final ByteBuffer arrived;

    private @Nullable CapturedOpening opening;
    private boolean opened;
    private boolean outputEnded;
    private boolean inputEnded;

    /** @param number of the stream in its capture; its sequence numbers begin with it */
    CapturedStream(ByteStream inner, SegmentCapture capture, int number) {
        this.inner = inner;
        this.capture = capture;
        this.here = new End(inner.local(), number << 8);
        this.there = new End(inner.remote(), (number << 8) + 0x8000_0000);
        this.dataMax = Math.min(inner.packetMax(), DATA_MAX);
        this.arrived = ByteBuffer.allocateDirect(dataMax);
    }

    /** The peer has not taken it yet. */
    void opens(CapturedOpening by) {
        opening = by;
        by.of(this);
    }

    /** The three segments that open a stream. */
    void onOpened(boolean initiator) {
        opened = true;
        here.port(inner.local().port());
        End first = initiator ? here : there;
        End second = initiator ? there : here;
        mark(first, Tcp.SYN);
        mark(second, Tcp.SYN | Tcp.ACK);
        send(first, Tcp.ACK, NOTHING, 0, 0);
    }

    private void send(End source, int flags, ByteBuffer bytes, int at, int length) {
        boolean own = source == here;
        capture.capture(
                source, own ? there : here, flags, bytes, at, length, own ? Direction.OUTBOUND : Direction.INBOUND);
    }

    /** A segment with a flag that counts as a byte. */
    private void mark(End source, int flags) {
        send(source, flags, NOTHING, 0, 0);
        source.sequence++;
    }

    private void sendAll(End source, ByteBuffer bytes, int from, int count) {
        for (int sent = 0; sent < count; ) {
            int length = Math.min(dataMax, count - sent);
            send(source, Tcp.ACK | Tcp.PSH, bytes, from + sent, length);
            sent += length;
        }
    }

    /** Bytes of several reads go into one segment, as the peer has sent them: Wireshark knows a frame of MPA only in one piece. */
    @Override
    public int read(ByteBuffer into) {
        int from = into.position();
        int count = inner.read(into);
        if (count > 0) {
            collect(into, from, count);
            return count;
        }
        settle();
        if (count == END && opened && !inputEnded) {
            inputEnded = true;
            mark(there, Tcp.FIN | Tcp.ACK);
        }
        return count;
    }

    private void collect(ByteBuffer bytes, int from, int count) {
        for (int taken = 0; taken < count; ) {
            int length = Math.min(arrived.remaining(), count - taken);
            arrived.put(arrived.position(), bytes, from + taken, length).position(arrived.position() + length);
            taken += length;
            if (!arrived.hasRemaining()) {
                settle();
            }
        }
    }

    /** Puts the bytes that have arrived into the capture. */
    private void settle() {
        int length = arrived.position();
        if (length > 0) {
            arrived.clear();
            send(there, Tcp.ACK | Tcp.PSH, arrived, 0, length);
        }
    }

    @Override
    public int write(ByteBuffer from) {
        settle();
        int at = from.position();
        int count = inner.write(from);
        if (count > 0) {
            sendAll(here, from, at, count);
        }
        return count;
    }

    @Override
    public void endOutput() {
        settle();
        inner.endOutput();
        onOutputEnded();
    }

    private void onOutputEnded() {
        if (opened && !outputEnded) {
            outputEnded = true;
            mark(here, Tcp.FIN | Tcp.ACK);
        }
    }

    @Override
    public void close() {
        settle();
        inner.close();
        onOutputEnded();
    }

    @Override
    public int packetMax() {
        return inner.packetMax();
    }

    @Override
    public Endpoint local() {
        return inner.local();
    }

    @Override
    public Endpoint remote() {
        return inner.remote();
    }

    @Override
    public void user(StreamUser user) {
        if (opening == null) {
            inner.user(user);
        } else {
            opening.user(user);
        }
    }

    @Override
    public void wants(boolean read, boolean write) {
        inner.wants(read, write);
    }
}
