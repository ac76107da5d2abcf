package org.verbena.wire.iwarp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One message of a {@link CapturedUnits}: its units follow each other.
 *
 * @param header the first segment, from its first byte
 * @param data of all segments, behind the headers of DDP and, in a read request or a terminate message, behind it too
 * @param units the numbers of its units in the stream
 * @param firstFrame the frame of the capture that brought its first byte
 */
public record CapturedMessage(
        RdmapOpcode opcode, MemorySegment header, MemorySegment data, List<Integer> units, int firstFrame) {
    /** All messages of a direction. */
    public static List<CapturedMessage> of(CapturedUnits side) {
        var found = new ArrayList<CapturedMessage>();
        var units = new ArrayList<Integer>();
        var data = new ByteArrayOutputStream();
        for (int unit = 0; unit < side.units().size(); unit++) {
            MemorySegment segment = side.segment(unit);
            units.add(unit);
            data.writeBytes(segment.asSlice(headerLength(segment)).toArray(ValueLayout.JAVA_BYTE));
            if (DdpControl.isLast(segment, 0)) {
                int first = units.getFirst();
                found.add(new CapturedMessage(
                        Objects.requireNonNull(RdmapOpcode.of(DdpControl.opcode(segment, 0))),
                        side.segment(first),
                        MemorySegment.ofArray(data.toByteArray()),
                        List.copyOf(units),
                        side.frameAt(side.units().get(first))));
                units.clear();
                data.reset();
            }
        }
        if (!units.isEmpty()) {
            throw new AssertionError(side.stream().capture() + ": the last message is not whole");
        }
        return found;
    }

    private static int headerLength(MemorySegment segment) {
        return DdpControl.isTagged(segment, 0) ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
    }

    /** Bytes of the data. */
    public int length() {
        return (int) data.byteSize();
    }

    /** The key that a write or a read response names. */
    public int key() {
        return TaggedHeader.stag(header, 0);
    }

    /** The address that a write or a read response names. */
    public long address() {
        return TaggedHeader.offset(header, 0);
    }

    /** The key that a send with invalidate names. */
    public int invalidated() {
        return UntaggedHeader.invalidated(header, 0);
    }

    /** The memory that a read request names. */
    public ReadRequest readRequest() {
        return ReadRequest.read(header, UntaggedHeader.LENGTH);
    }
}
