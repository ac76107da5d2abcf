package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;

/** All headers of a DDP segment, read and written again. */
public final class SegmentHeaders {
    private SegmentHeaders() {}

    /**
     * Reads every header of the segment in {@code from} and writes it at the same place of {@code to}.
     *
     * @return bytes of the headers; 0 if the segment is too short for them, or its opcode unknown
     */
    public static int copy(MemorySegment from, MemorySegment to) {
        RdmapOpcode opcode = from.byteSize() < DdpControl.LENGTH ? null : RdmapOpcode.of(DdpControl.opcode(from, 0));
        if (opcode == null) {
            return 0;
        }
        boolean tagged = DdpControl.isTagged(from, 0);
        int ddp = tagged ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
        int length = ddp + (tagged ? 0 : opcode.headerLength());
        if (from.byteSize() < length) {
            return 0;
        }
        if (tagged) {
            TaggedHeader.read(from, 0).write(to, 0);
            return ddp;
        }
        UntaggedHeader.read(from, 0).write(to, 0);
        switch (opcode) {
            case READ_REQUEST -> ReadRequest.read(from, ddp).write(to, ddp);
            case ATOMIC_REQUEST -> AtomicRequest.read(from, ddp).write(to, ddp);
            case ATOMIC_RESPONSE -> AtomicResponse.read(from, ddp).write(to, ddp);
            case IMMEDIATE, IMMEDIATE_SOLICITED -> ImmediateData.read(from, ddp).write(to, ddp);
            case TERMINATE -> Terminate.read(from, ddp).write(to, ddp);
            default -> {}
        }
        return length;
    }
}
