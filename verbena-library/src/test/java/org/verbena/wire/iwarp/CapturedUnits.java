package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.verbena.PrivateData;

/**
 * What the bytes of a {@link CapturedStream} are: the frame that opened the connection, then FPDUs without markers.
 *
 * @param units their first bytes, positions in the stream
 */
public record CapturedUnits(CapturedStream stream, MpaHeader frame, PrivateData privateData, List<Integer> units) {
    /** Takes a stream apart to its last byte. */
    public static CapturedUnits of(CapturedStream stream) {
        MemorySegment bytes = stream.memory();
        MpaHeader frame = Objects.requireNonNull(MpaHeader.read(bytes, 0));
        var units = new ArrayList<Integer>();
        int at = MpaHeader.LENGTH + frame.privateDataLength();
        PrivateData privateData = PrivateData.read(bytes, MpaHeader.LENGTH, frame.privateDataLength());
        while (at < (int) stream.memory().byteSize()) {
            units.add(at);
            at += Fpdu.length(Fpdu.segmentLength(bytes, at));
        }
        if (at != (int) stream.memory().byteSize()) {
            throw new AssertionError(stream.capture() + ": the last unit ends at " + at + ", the stream at "
                    + (int) stream.memory().byteSize());
        }
        return new CapturedUnits(stream, frame, privateData, units);
    }

    /** All directions of all connections of a capture. */
    public static List<CapturedUnits> of(String capture) {
        return CapturedStream.of(capture).stream().map(CapturedUnits::of).toList();
    }

    /** The bytes of the DDP segment of a unit. */
    public MemorySegment segment(int unit) {
        MemorySegment bytes = stream.memory();
        int at = units.get(unit);
        return bytes.asSlice(at + Fpdu.HEADER_LENGTH, Fpdu.segmentLength(bytes, at));
    }

    /** The bytes of a unit, with its length, padding and check sum. */
    public MemorySegment unit(int number) {
        return stream.memory().asSlice(units.get(number), end(number) - units.get(number));
    }

    /** The frame of the capture that brought the last byte of a unit. */
    public int lastFrame(int unit) {
        return frameAt(end(unit) - 1);
    }

    private int end(int unit) {
        return unit + 1 < units.size()
                ? units.get(unit + 1)
                : (int) stream.memory().byteSize();
    }

    /** The frame of the capture that brought a byte of the stream. */
    int frameAt(int position) {
        for (CapturedStream.Piece piece : stream.pieces()) {
            if (position >= piece.at() && position < piece.at() + piece.length()) {
                return piece.frame();
            }
        }
        throw new AssertionError(stream.capture() + " has no byte " + position);
    }

    /** Whether the other direction's frame, or this one's, asked for check sums. */
    public static boolean hasCrc(List<CapturedUnits> connection) {
        return connection.stream().anyMatch(direction -> direction.frame.crc());
    }
}
