package org.verbena.adapter.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.wire.BigEndian;
import org.verbena.wire.iwarp.Fpdu;
import org.verbena.wire.iwarp.Marker;
import org.verbena.wire.iwarp.MpaCrc;

/**
 * Makes units of segments, in a buffer from which the stream takes bytes in whatever pieces it can send. A unit is never longer than a
 * packet of the stream, so that units begin where packets begin as long as the stream keeps up. The buffer is taken from the engine's
 * when a segment begins, and given back when all bytes are sent.
 */
public final class UnitWriter implements SegmentChannel {
    private final StreamBuffers buffers;
    private final UnitFormat format;
    private final int unitMax;
    private final MpaCrc crc;
    private final Runnable onFilled;
    private @Nullable StreamBuffer buffer;
    /** The bytes from here to {@link #tail} are complete and not sent. */
    private int head;

    private int tail;
    /** Of the stream, at {@link #tail}; 0 is the first byte behind the frames that opened the connection. */
    private long position;
    /** Bytes of the segment that was begun; negative if there is none. */
    private int begun = -1;

    /**
     * Of one stream.
     *
     * @param packetMax bytes of a packet of the stream; a unit is not longer
     * @param crc computes check sums; shared by all streams of an engine
     * @param onFilled called when there are bytes to send and there were none before
     */
    public UnitWriter(StreamBuffers buffers, UnitFormat format, int packetMax, MpaCrc crc, Runnable onFilled) {
        this.buffers = buffers;
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
        StreamBuffer own = buffer;
        if (own == null) {
            return buffers.hasFree() ? longest() : 0;
        }
        if (own.capacity() - tail < unitMax && head >= own.capacity() / 2) {
            own.moveToFront(head, tail - head);
            tail -= head;
            head = 0;
        }
        return own.capacity() - tail < unitMax ? 0 : longest();
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
        return taken().memory();
    }

    private StreamBuffer taken() {
        StreamBuffer own = buffer;
        assert own != null : "no segment was begun";
        return own;
    }

    @Override
    public long begin(int length) {
        assert length <= room() : length + " bytes, room for " + room();
        begun = length;
        if (buffer == null) {
            buffer = buffers.take();
        }
        return tail + (long) Fpdu.HEADER_LENGTH;
    }

    @Override
    public void end() {
        assert begun >= 0 : "no segment was begun";
        StreamBuffer own = taken();
        MemorySegment memory = own.memory();
        int covered = Fpdu.coveredLength(begun);
        Fpdu.writeLength(memory, tail, begun);
        int dataEnd = tail + Fpdu.HEADER_LENGTH + begun;
        for (int i = 0; i < Fpdu.padding(begun); i++) {
            BigEndian.writeByte(memory, dataEnd + (long) i, 0);
        }
        int total = Fpdu.length(begun);
        int markers = format.markers(position, total);
        if (markers > 0) {
            spread(memory, covered, markers);
            total += markers * Marker.LENGTH;
        }
        int crcAt = tail + total - MpaCrc.LENGTH;
        MpaCrc.write(memory, crcAt, format.crc() ? sum(own, crcAt) : MpaCrc.NONE);
        boolean first = head == tail;
        tail += total;
        position += total;
        begun = -1;
        if (first) {
            onFilled.run();
        }
    }

    private int sum(StreamBuffer own, int crcAt) {
        crc.reset();
        crc.add(own.bytes(), tail, crcAt - tail);
        return crc.value();
    }

    /** Moves the pieces between the markers apart, the last one first, and writes the markers. */
    private void spread(MemorySegment memory, int covered, int markers) {
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

    /** The buffer with the bytes to send; null if there are none. */
    public @Nullable StreamBuffer buffer() {
        return head == tail ? null : buffer;
    }

    /** Where the bytes to send begin. */
    public int pendingAt() {
        return head;
    }

    /** Bytes to send. */
    public int pending() {
        return tail - head;
    }

    /** The stream has sent this many bytes. */
    public void onSent(int count) {
        head += count;
        assert head <= tail : "more bytes sent than there were";
        if (head == tail) {
            release();
        }
    }

    /** Forgets all bytes and gives the buffer back. */
    public void release() {
        StreamBuffer own = buffer;
        head = 0;
        tail = 0;
        begun = -1;
        if (own != null) {
            buffer = null;
            buffers.give(own);
        }
    }
}
