package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Acknowledge extended transport header (specification 9.3.5).
 *
 * @param syndrome acknowledgement or refusal: see {@link Syndrome}
 * @param msn messages the responder has completed, modulo 2<sup>24</sup>
 */
public record Aeth(int syndrome, int msn) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    private static final int SYNDROME_SHIFT = 24;

    /** Reads the header at {@code at}. */
    public static Aeth read(MemorySegment segment, long at) {
        int word = BigEndian.readInt(segment, at);
        return new Aeth(word >>> SYNDROME_SHIFT, word & Msn.MASK);
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, syndrome, msn);
    }

    /** Writes a header at {@code at} from its fields, without an object. */
    public static void write(MemorySegment segment, long at, int syndrome, int msn) {
        BigEndian.writeInt(segment, at, syndrome << SYNDROME_SHIFT | (msn & Msn.MASK));
    }

    /** Acknowledgement or refusal, 0 … 255. */
    public static int syndrome(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at);
    }

    /** Messages the responder has completed. */
    public static int msn(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at) & Msn.MASK;
    }
}
