package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.SegmentHeaders;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Any bytes into the readers of iWARP: nothing is thrown, and what is written reads back the same. */
final class IwarpFuzzTest {
    private static final int INPUT_MAX = 8192;

    @FuzzTest
    void openingFramesReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < MpaHeader.LENGTH || input.length > INPUT_MAX) {
            return;
        }
        MemorySegment bytes = MemorySegment.ofArray(input);
        MemorySegment copy = MemorySegment.ofArray(new byte[MpaHeader.LENGTH]);
        MpaHeader header = MpaHeader.read(bytes, 0);
        if (header == null) {
            return;
        }
        header.write(copy, 0);
        assertEquals(header, MpaHeader.read(copy, 0));
        if (input.length >= MpaHeader.LENGTH + MpaDepths.LENGTH) {
            MpaDepths depths = MpaDepths.read(bytes, MpaHeader.LENGTH);
            depths.write(copy, 0);
            assertEquals(
                    -1, copy.asSlice(0, MpaDepths.LENGTH).mismatch(bytes.asSlice(MpaHeader.LENGTH, MpaDepths.LENGTH)));
        }
    }

    @FuzzTest
    void segmentHeadersReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < UntaggedHeader.LENGTH || input.length > INPUT_MAX) {
            return;
        }
        MemorySegment segment = MemorySegment.ofArray(input);
        MemorySegment once = MemorySegment.ofArray(input.clone());
        MemorySegment twice = MemorySegment.ofArray(input.clone());
        int headers = SegmentHeaders.copy(segment, once);
        assertTrue(headers >= 0 && headers <= input.length);
        assertEquals(headers, SegmentHeaders.copy(once, twice));
        assertEquals(-1, once.mismatch(twice), "written, read and written again");
        DdpControl control = DdpControl.read(segment, 0);
        RdmapOpcode opcode = RdmapOpcode.of(control.opcode());
        assertEquals(control.tagged(), DdpControl.isTagged(segment, 0));
        assertTrue(opcode == null || opcode.code() == control.opcode());
        assertEquals(TaggedHeader.read(segment, 0).offset(), TaggedHeader.offset(segment, 0));
        if (input.length >= UntaggedHeader.LENGTH + Terminate.LENGTH) {
            Terminate message = Terminate.read(segment, UntaggedHeader.LENGTH);
            message.reason();
            assertTrue(message.layer() < 16 && message.type() < 16);
        }
    }
}
