package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.verbena.link.linux.LinuxStructs.IOVEC;
import static org.verbena.link.linux.LinuxStructs.IOV_BASE;
import static org.verbena.link.linux.LinuxStructs.IOV_LEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The parts of a frame in a system call: the header, unless it is in the caller's memory with the frame; the frame; and a byte that only a frame longer than
 * the room reaches.
 */
final class FrameVectors {
    private static final long VECTOR = IOVEC.byteSize();
    private static final int HEADER = 0;
    private static final int FRAME = 1;
    private static final int SPILL = 2;

    private final MemorySegment vectors = Arena.ofAuto().allocate(IOVEC, 3);
    private final MemorySegment header = Arena.ofAuto().allocate(FramePort.OFFLOAD_HEADER_BYTES, 8);
    /** Zero for ever. */
    private final MemorySegment complete = Arena.ofAuto().allocate(FramePort.OFFLOAD_HEADER_BYTES, 8);

    private final MemorySegment spill = Arena.ofAuto().allocate(1);

    FrameVectors() {
        set(SPILL, spill.address(), 1);
    }

    private void set(int part, long address, long length) {
        vectors.set(JAVA_LONG, part * VECTOR + IOV_BASE, address);
        vectors.set(JAVA_LONG, part * VECTOR + IOV_LEN, length);
    }

    /** Prepares to read; returns the address of the first vector. */
    long toRead(long frame, int room, boolean headed) {
        set(HEADER, header.address(), FramePort.OFFLOAD_HEADER_BYTES);
        return first(frame, room, headed);
    }

    /** Prepares to write; returns the address of the first vector. */
    long toWrite(long frame, int length, boolean headed) {
        set(HEADER, complete.address(), FramePort.OFFLOAD_HEADER_BYTES);
        return first(frame, length, headed);
    }

    private long first(long frame, int length, boolean headed) {
        set(FRAME, frame, length);
        return vectors.address() + (headed ? VECTOR : 0);
    }

    /** The number of vectors of a read; a write has one less. */
    int count(boolean headed) {
        return headed ? 2 : 3;
    }
}
