package org.verbena.adapter.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.wire.BigEndian;
import org.verbena.wire.iwarp.Fpdu;
import org.verbena.wire.iwarp.Marker;
import org.verbena.wire.iwarp.MpaCrc;

/**
 * Makes units of segments, in buffers from which the stream takes bytes in whatever pieces it can send. A unit is never longer than a
 * packet of the stream, so that units begin where packets begin as long as the stream keeps up. Buffers are taken from the engine's
 * when a segment begins, and given back when their bytes are sent.
 */
public final class UnitWriter implements SegmentChannel {
    /** Buffers with bytes to send that one stream has at most. */
    public static final int BUFFERS_MAX = 8;

    private final BufferChain chain;
    private final UnitFormat format;
    private final int unitMax;
    private final MpaCrc crc;
    private final Runnable onFilled;
    /** Of the stream, behind the last unit; 0 is the first byte behind the frames that opened the connection. */
    private long position;
    /** Bytes of the segment that was begun; negative if there is none. */
    private int begun = -1;
    /** Units since {@link #takeUnits}. */
    private int units;

    /**
     * Of one stream.
     *
     * @param packetMax bytes of a packet of the stream; a unit is not longer
     * @param crc computes check sums; shared by all streams of an engine
     * @param onFilled called when there are bytes to send and there were none before
     */
    public UnitWriter(StreamBuffers buffers, UnitFormat format, int packetMax, MpaCrc crc, Runnable onFilled) {
        this.chain = new BufferChain(buffers);
        this.format = format;
        this.unitMax = Math.min(packetMax, UnitFormat.UNIT_MAX);
        this.crc = crc;
        this.onFilled = onFilled;
        if (buffers.capacity() < unitMax) {
            throw new IllegalArgumentException(
                    "buffers of " + buffers.capacity() + " bytes found, at least " + unitMax + " expected");
        }
    }

    @Override
    public int room() {
        return chain.hasRoom(unitMax) ? longest() : 0;
    }

    /** The segment that, with the markers at this position of the stream, fills a packet. */
    private int longest() {
        return Fpdu.segmentMax(unitMax, format.markers(position, unitMax));
    }

    @Override
    public int segmentMax() {
        return Fpdu.segmentMax(unitMax, format.markers() ? unitMax / (Marker.INTERVAL - Marker.LENGTH) + 1 : 0);
    }

    @Override
    public MemorySegment memory() {
        return chain.last().memory();
    }

    @Override
    public long begin(int length) {
        assert length <= room() : length + " bytes, room for " + room();
        begun = length;
        return chain.provide(unitMax).filled + (long) Fpdu.HEADER_LENGTH;
    }

    @Override
    public void cancel() {
        begun = -1;
        if (chain.pending() == 0) {
            chain.clear();
        }
    }

    @Override
    public void end() {
        assert begun >= 0 : "no segment was begun";
        StreamBuffer own = chain.last();
        MemorySegment memory = own.memory();
        int tail = own.filled;
        int covered = Fpdu.coveredLength(begun);
        Fpdu.writeLength(memory, tail, begun);
        int dataEnd = tail + Fpdu.HEADER_LENGTH + begun;
        for (int i = 0; i < Fpdu.padding(begun); i++) {
            BigEndian.writeByte(memory, dataEnd + (long) i, 0);
        }
        int total = Fpdu.length(begun);
        int markers = format.markers(position, total);
        if (markers > 0) {
            spread(memory, tail, covered, markers);
            total += markers * Marker.LENGTH;
        }
        int crcAt = tail + total - MpaCrc.LENGTH;
        MpaCrc.write(memory, crcAt, format.crc() ? sum(own, tail, crcAt) : MpaCrc.NONE);
        boolean first = chain.pending() == 0;
        chain.add(total);
        position += total;
        begun = -1;
        units++;
        if (first) {
            onFilled.run();
        }
    }

    private int sum(StreamBuffer own, int from, int crcAt) {
        crc.reset();
        crc.add(own.bytes(), from, crcAt - from);
        return crc.value();
    }

    /** Moves the pieces between the markers apart, the last one first, and writes the markers. */
    private void spread(MemorySegment memory, int tail, int covered, int markers) {
        int between = Marker.INTERVAL - Marker.LENGTH;
        int first = Marker.distance(position);
        int unitAt = format.markerBefore(position);
        for (int i = markers - 1; i >= 0; i--) {
            int plain = first + i * between;
            int end = Math.min(plain + between, covered);
            if (end > plain) {
                long from = tail + (long) plain;
                MemorySegment.copy(memory, from, memory, from + (i + 1L) * Marker.LENGTH, end - plain);
            }
            int at = plain + i * Marker.LENGTH;
            Marker.write(memory, tail + (long) at, Math.max(0, at - unitAt));
        }
    }

    /** Bytes to send. */
    public int pending() {
        return chain.pending();
    }

    /**
     * Puts the bytes to send into the array, from its begin on.
     *
     * @param into has {@link #BUFFERS_MAX} places
     * @return how many buffers it has put
     */
    public int list(ByteBuffer[] into) {
        return chain.list(into);
    }

    /** Units made since the last call. */
    public int takeUnits() {
        int taken = units;
        units = 0;
        return taken;
    }

    /** The stream has sent this many bytes. */
    public void onSent(int count) {
        chain.remove(count);
    }

    /** Forgets all bytes and gives the buffers back. */
    public void release() {
        begun = -1;
        chain.clear();
    }
}
