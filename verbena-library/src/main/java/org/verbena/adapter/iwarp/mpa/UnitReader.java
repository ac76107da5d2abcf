package org.verbena.adapter.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.iwarp.SegmentReceiver;
import org.verbena.wire.iwarp.Fpdu;
import org.verbena.wire.iwarp.Marker;
import org.verbena.wire.iwarp.MpaCrc;
import org.verbena.wire.iwarp.TerminateCode;

/**
 * Makes segments of the bytes of a stream. The stream puts bytes into the buffer, in whatever pieces they arrive; whole units are
 * verified and offered to the receiver in place. The buffer holds at least the longest unit. While the receiver waits, bytes stay
 * in the buffer; when it is full the stream is not read, and the peer cannot send. The buffer is taken from the engine's when bytes
 * are expected, and given back when all are used. Bytes that wait can be put aside, so that other streams get the buffer.
 */
public final class UnitReader {
    /** State of the bytes at hand. */
    public enum State {
        /** All whole units are used. */
        HUNGRY,
        /** The receiver waits; the same unit is offered again at the next call. */
        WAITING,
        /** The receiver takes no more. */
        STOPPED,
        /** The stream is damaged: {@link #error} tells how. */
        DAMAGED
    }

    private final StreamBuffers buffers;
    private final UnitFormat format;
    private final MpaCrc crc;
    private @Nullable StreamBuffer buffer;
    /** All bytes that are not used, while there is no buffer. */
    private byte @Nullable [] aside;

    private int head;
    private int tail;
    /** Of the stream, at {@link #head}; 0 is the first byte behind the frames that opened the connection. */
    private long position;
    /** Bytes of the unit at {@link #head} with its markers, once it is verified; else 0. */
    private int verified;

    private int segmentAt;
    private int segmentLength;
    private long units;
    private @Nullable TerminateCode error;

    /**
     * Of one stream.
     *
     * @param crc computes check sums; shared by all streams of an engine
     */
    public UnitReader(StreamBuffers buffers, UnitFormat format, MpaCrc crc) {
        this.buffers = buffers;
        this.format = format;
        this.crc = crc;
        if (buffers.capacity() < UnitFormat.UNIT_MAX) {
            throw new IllegalArgumentException(
                    "buffers of " + buffers.capacity() + " bytes found, at least " + UnitFormat.UNIT_MAX + " expected");
        }
    }

    /**
     * The buffer into which the stream's next bytes go, from {@link #freeAt} on; null if no buffer is free, or this one is full. Bytes
     * that belong to an unfinished unit may move to its beginning.
     */
    public @Nullable StreamBuffer buffer() {
        StreamBuffer own = buffer;
        if (own == null) {
            return takeBuffer();
        }
        if (head > 0 && own.capacity() - tail < own.capacity() / 2) {
            own.moveToFront(head, tail - head);
            segmentAt -= head;
            tail -= head;
            head = 0;
        }
        return tail == own.capacity() ? null : own;
    }

    private @Nullable StreamBuffer takeBuffer() {
        StreamBuffer taken = buffers.take();
        byte[] bytes = aside;
        if (taken != null && bytes != null) {
            MemorySegment.copy(bytes, 0, taken.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
            tail = bytes.length;
            aside = null;
        }
        buffer = taken;
        return taken;
    }

    /** Gives the buffer back; its bytes wait elsewhere until a buffer is asked for, or units are. */
    public void putAside() {
        StreamBuffer own = buffer;
        if (own != null) {
            byte[] bytes = new byte[tail - head];
            MemorySegment.copy(own.memory(), ValueLayout.JAVA_BYTE, head, bytes, 0, bytes.length);
            segmentAt -= head;
            head = 0;
            tail = 0;
            aside = bytes;
            buffer = null;
            buffers.give(own);
        }
    }

    /** Where the next bytes go. */
    public int freeAt() {
        return tail;
    }

    /** The stream has put this many bytes into the buffer. */
    public void onReceived(int count) {
        tail += count;
    }

    /** Bytes that are not used yet. */
    public int available() {
        byte[] waiting = aside;
        return waiting == null ? tail - head : waiting.length;
    }

    /** Units taken so far. */
    public long units() {
        return units;
    }

    /** The damage of the stream; null if there is none. */
    public @Nullable TerminateCode error() {
        return error;
    }

    /** Offers whole units to the receiver, at most this many. */
    public State deliver(SegmentReceiver receiver, int max) {
        if (aside != null && takeBuffer() == null) {
            return State.HUNGRY;
        }
        for (int i = 0; i < max; i++) {
            if (error != null) {
                return State.DAMAGED;
            }
            if (verified == 0 && !verify()) {
                break;
            }
            switch (receiver.onSegment(owned().memory(), segmentAt, segmentLength)) {
                case TAKEN -> onTaken();
                case LATER -> {
                    return State.WAITING;
                }
                case STOPPED -> {
                    return State.STOPPED;
                }
            }
        }
        if (error != null) {
            return State.DAMAGED;
        }
        if (head == tail) {
            release();
        }
        return State.HUNGRY;
    }

    /** Whether a whole unit is in the buffer that was not offered because of the limit of the last call. */
    public boolean hasUnit() {
        return error == null && aside == null && (verified > 0 || verify());
    }

    private StreamBuffer owned() {
        StreamBuffer own = buffer;
        assert own != null : "bytes without a buffer";
        return own;
    }

    private void onTaken() {
        head += verified;
        position += verified;
        verified = 0;
        units++;
    }

    /** Verifies the unit at the head; false if it is not whole, or damaged. */
    private boolean verify() {
        int before = format.markerBefore(position);
        if (tail - head < before + Fpdu.HEADER_LENGTH) {
            return false;
        }
        StreamBuffer own = owned();
        MemorySegment memory = own.memory();
        int length = Fpdu.segmentLength(memory, head + (long) before);
        int plain = Fpdu.length(length);
        int markers = format.markers(position, plain);
        int total = plain + markers * Marker.LENGTH;
        if (tail - head < total) {
            return false;
        }
        int crcAt = head + total - MpaCrc.LENGTH;
        if (format.crc() && !isIntact(own, crcAt)) {
            return fail(TerminateCode.MPA_CRC);
        }
        if (markers > 0 && !gather(memory, crcAt, markers)) {
            return fail(TerminateCode.MPA_MARKER);
        }
        verified = total;
        segmentAt = head + before + Fpdu.HEADER_LENGTH;
        segmentLength = length;
        return true;
    }

    private boolean isIntact(StreamBuffer own, int crcAt) {
        crc.reset();
        crc.add(own.bytes(), head, crcAt - head);
        return crc.value() == MpaCrc.read(own.memory(), crcAt);
    }

    private boolean fail(TerminateCode reason) {
        error = reason;
        return false;
    }

    /**
     * Checks the markers and moves the pieces between them together, towards the first byte behind a marker that stands before the
     * unit. False if a marker does not point to the begin of the unit.
     */
    private boolean gather(MemorySegment memory, int crcAt, int markers) {
        int before = format.markerBefore(position);
        int first = head + Marker.distance(position);
        for (int i = 0; i < markers; i++) {
            int at = first + i * Marker.INTERVAL;
            if (Marker.fpduPointer(memory, at) != (Math.max(0, at - head - before) & Marker.POINTER_MASK)) {
                return false;
            }
        }
        int within = before > 0 ? 1 : 0;
        int to = first + within * Marker.INTERVAL;
        for (int i = within; i < markers; i++) {
            int from = first + i * Marker.INTERVAL + Marker.LENGTH;
            int length = Math.min(Marker.INTERVAL - Marker.LENGTH, crcAt - from);
            MemorySegment.copy(memory, from, memory, to, length);
            to += length;
        }
        return true;
    }

    /** Forgets all bytes and gives the buffer back. */
    public void release() {
        StreamBuffer own = buffer;
        head = 0;
        tail = 0;
        verified = 0;
        aside = null;
        if (own != null) {
            buffer = null;
            buffers.give(own);
        }
    }
}
