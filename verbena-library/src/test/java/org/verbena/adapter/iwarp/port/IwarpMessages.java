package org.verbena.adapter.iwarp.port;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Segments as a peer writes them. */
final class IwarpMessages {
    /** Content of the data. */
    static final byte FILL = 0x77;

    private IwarpMessages() {}

    static byte[] write(int key, long offset, boolean last, int length) {
        return tagged(RdmapOpcode.WRITE, key, offset, last, length);
    }

    static byte[] readResponse(int key, long offset, boolean last, int length) {
        return tagged(RdmapOpcode.READ_RESPONSE, key, offset, last, length);
    }

    private static byte[] tagged(RdmapOpcode opcode, int key, long offset, boolean last, int length) {
        byte[] bytes = new byte[TaggedHeader.LENGTH + length];
        Arrays.fill(bytes, FILL);
        TaggedHeader.write(MemorySegment.ofArray(bytes), 0, opcode, last, key, offset);
        return bytes;
    }

    static byte[] terminate(TerminateCode reason) {
        byte[] bytes = new byte[UntaggedHeader.LENGTH + Terminate.LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        UntaggedHeader.write(segment, 0, RdmapOpcode.TERMINATE, true, 0, UntaggedHeader.FIRST_MSN, 0);
        Terminate.of(reason, false, false).write(segment, UntaggedHeader.LENGTH);
        return bytes;
    }

    static byte[] send(RdmapOpcode opcode, boolean last, int invalidated, int msn, int offset, int length) {
        byte[] bytes = new byte[UntaggedHeader.LENGTH + length];
        Arrays.fill(bytes, FILL);
        UntaggedHeader.write(MemorySegment.ofArray(bytes), 0, opcode, last, invalidated, msn, offset);
        return bytes;
    }
}
