package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.verbena.link.frame.FrameBounds.TAG_BYTES;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.LinkException;
import org.verbena.link.linux.Libc;

/**
 * The port of a packet socket. The kernel takes a VLAN tag out of a frame; the port puts it back. The kernel gives partial checksums and large segments
 * whether they are wanted or not: while offloads are off, the port completes the checksums and cuts the segments.
 */
final class PacketFrames extends DescriptorPort {
    /** Offset of the tag in a frame: behind the two addresses. */
    private static final int TAG_AT = 12;

    private static final int PARTIAL_BYTES = FRAME_BYTES_MAX + TAG_BYTES;

    private final PacketSocket socket;
    private final InterfaceControl control;
    private final FrameVectors vectors = new FrameVectors();
    private final Offload offload = new Offload();
    /** A frame with its header that is made complete, or cut. */
    private final MemorySegment partial = Arena.ofAuto().allocate(PARTIAL_BYTES, 8);

    private PacketFrames(String name, PacketSocket socket, InterfaceControl control) {
        super(name, socket.descriptor());
        this.socket = socket;
        this.control = control;
    }

    static PacketFrames open(String name) {
        Libc libc = new Libc();
        InterfaceControl control = new InterfaceControl(libc, name);
        try {
            int index = control.index();
            if (!control.isEthernet()) {
                throw new LinkException("interface " + name + " found to be no Ethernet interface");
            }
            return new PacketFrames(name, PacketSocket.open(libc, name, index), control);
        } catch (LinkException e) {
            control.close();
            throw e;
        }
    }

    @Override
    long read(MemorySegment into, long offset, int room, boolean exact) {
        if (hasRest()) {
            return takeComplete(into, offset, room);
        }
        return offloads() ? readHeaded(into, offset, room, exact) : readComplete(into, offset, room, exact);
    }

    @Override
    boolean hasRest() {
        return offload.nextBytes() > 0;
    }

    private long readHeaded(MemorySegment into, long offset, int room, boolean exact) {
        long first = vectors.toRead(into.address() + offset, room, true);
        // A frame that does not fit is cut: the call tells its whole length.
        long length = socket.receive(first, 1, exact);
        long tag = length < 0 ? -1 : socket.tag();
        if (tag < 0) {
            return length;
        }
        if (length + TAG_BYTES <= room && length >= OFFLOAD_HEADER_BYTES + TAG_AT) {
            insert(into, offset + OFFLOAD_HEADER_BYTES, (int) length - OFFLOAD_HEADER_BYTES, tag);
            move(into, offset);
        }
        return length + TAG_BYTES;
    }

    private static void insert(MemorySegment frames, long at, int length, long tag) {
        MemorySegment.copy(frames, at + TAG_AT, frames, at + TAG_AT + TAG_BYTES, length - TAG_AT);
        FrameBytes.putInt(frames, at + TAG_AT, (int) tag);
    }

    /** Has a header fit the frame that got a tag. */
    private static void move(MemorySegment headers, long at) {
        if ((headers.get(JAVA_BYTE, at + OffloadHeader.FLAGS) & OffloadHeader.NEEDS_CHECKSUM) != 0) {
            add(headers, at + OffloadHeader.CHECKSUM_START);
        }
        if (!OffloadHeader.isWhole(headers, at)) {
            add(headers, at + OffloadHeader.HEADERS_BYTES);
        }
    }

    private static void add(MemorySegment headers, long at) {
        headers.set(JAVA_SHORT_UNALIGNED, at, (short) (OffloadHeader.field(headers, at) + TAG_BYTES));
    }

    private long readComplete(MemorySegment into, long offset, int room, boolean exact) {
        long length = readHeaded(partial, 0, PARTIAL_BYTES, exact);
        if (length < OFFLOAD_HEADER_BYTES || length > PARTIAL_BYTES) {
            return length < 0 ? length : Math.max(0, length - OFFLOAD_HEADER_BYTES);
        }
        // A frame of length 0 is a malformed one.
        return offload.begin(partial, 0, (int) length) == OffloadKind.MALFORMED ? 0 : takeComplete(into, offset, room);
    }

    /** Takes the next complete frame; returns its length, which is more than the room if it did not fit, and then it is lost. */
    private int takeComplete(MemorySegment into, long offset, int room) {
        int length = offload.nextBytes();
        if (length > room) {
            offload.skip();
            return length;
        }
        return offload.next(into, offset);
    }

    @Override
    boolean write(MemorySegment from, long offset, int length) {
        boolean headed = offloads();
        long first = vectors.toWrite(from.address() + offset, length, headed);
        return socket.send(first, vectors.count(headed) - 1);
    }

    @Override
    public boolean canOffload() {
        return true;
    }

    @Override
    void switchOffloads(boolean on) {
        if (on) {
            offload.drop();
        }
    }

    @Override
    boolean looksUp() {
        return control.isUp();
    }

    /** A packet socket has no other side. */
    @Override
    public void carrier(boolean up) {}

    @Override
    public long macAddress() {
        return control.macAddress();
    }

    @Override
    public void macAddress(long bits) {
        control.macAddress(bits);
    }

    @Override
    public int mtu() {
        return control.mtu();
    }

    @Override
    public void mtu(int bytes) {
        control.mtu(bytes);
    }

    @Override
    void release() {
        control.close();
    }
}
