package org.verbena.link.frame;

import java.lang.foreign.MemorySegment;

/** The header of an Ethernet frame, with up to two VLAN tags. One object reads one frame after the other. */
public final class EthernetHeader {
    /** Bytes of a header without tags. */
    public static final int BYTES = 14;
    /** Bytes of a VLAN tag. */
    public static final int TAG_BYTES = 4;
    /** The address of all stations. */
    public static final long BROADCAST = 0xffff_ffff_ffffL;
    /** Numbers of VLANs are below this. */
    public static final int VLANS = 4095;

    private static final int TAGS_MAX = 2;
    private static final int TYPE_TAG = 0x8100;
    private static final int TYPE_SERVICE_TAG = 0x88a8;

    private long destination;
    private long source;
    private int vlan;
    private int type;
    private int bytes;

    /** A header to read into. */
    public EthernetHeader() {}

    /**
     * Reads the header of a frame.
     *
     * @return false if the frame is shorter than its header, or its VLAN is the reserved one, 4,095
     */
    public boolean read(MemorySegment memory, long offset, int length) {
        if (length < BYTES) {
            return false;
        }
        destination = FrameBytes.addressAt(memory, offset);
        source = FrameBytes.addressAt(memory, offset + 6);
        type = FrameBytes.shortAt(memory, offset + 12);
        bytes = BYTES;
        vlan = 0;
        for (int tags = 0; tags < TAGS_MAX && isTag(type); tags++) {
            if (length < bytes + TAG_BYTES) {
                return false;
            }
            if (tags == 0) {
                vlan = FrameBytes.shortAt(memory, offset + bytes) & 0xfff;
            }
            type = FrameBytes.shortAt(memory, offset + bytes + 2);
            bytes += TAG_BYTES;
        }
        return vlan < VLANS;
    }

    private static boolean isTag(int type) {
        return type == TYPE_TAG || type == TYPE_SERVICE_TAG;
    }

    /** Whether an address is that of a group; broadcast is one. */
    public static boolean isGroup(long address) {
        return (address >>> 40 & 1) != 0;
    }

    /** The destination address, 48 bits. */
    public long destination() {
        return destination;
    }

    /** The source address, 48 bits. */
    public long source() {
        return source;
    }

    /** The VLAN of the outer tag; 0 for a frame without tag, or with a tag for its priority only. */
    public int vlan() {
        return vlan;
    }

    /** The type of the payload, behind all tags. */
    public int type() {
        return type;
    }

    /** Bytes of the header with its tags. */
    public int bytes() {
        return bytes;
    }
}
