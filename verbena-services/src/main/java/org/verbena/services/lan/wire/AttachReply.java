package org.verbena.services.lan.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The data of the reply to an ATTACH.
 *
 * @param offloads whether each datum begins with an offload header, in both directions
 * @param up whether the unit's LAN is up
 * @param mtu of the host's interface
 * @param address of the host's interface
 * @param name of the unit, for people
 */
public record AttachReply(boolean offloads, boolean up, int mtu, long address, String name) {
    /** Bytes without the name. */
    public static final int LENGTH = 14;

    private static final int OFFLOADS = 1;
    private static final int UP = 2;

    /** Reads it; null if it is malformed or of another version. */
    public static @Nullable AttachReply read(MemorySegment memory, long offset, int length) {
        ConfigReader in = new ConfigReader(memory, offset, length);
        int version = in.readShort();
        int flags = in.readShort();
        int mtu = in.readShort();
        long address = in.readAddress();
        int nameBytes = in.readShort();
        String name = nameBytes <= AttachRequest.NAME_BYTES_MAX ? in.readText(nameBytes) : "";
        return version == AttachRequest.VERSION && (flags & ~(OFFLOADS | UP)) == 0 && in.isExact()
                ? new AttachReply((flags & OFFLOADS) != 0, (flags & UP) != 0, mtu, address, name)
                : null;
    }

    /** Writes it, the name cut to {@link AttachRequest#NAME_BYTES_MAX} bytes, and returns its bytes. */
    public int write(MemorySegment memory, long offset) {
        byte[] cut = ConfigWriter.cut(name, AttachRequest.NAME_BYTES_MAX);
        return new ConfigWriter(memory, offset)
                .writeShort(AttachRequest.VERSION)
                .writeShort((offloads ? OFFLOADS : 0) | (up ? UP : 0))
                .writeShort(mtu)
                .writeAddress(address)
                .writeShort(cut.length)
                .writeBytes(cut)
                .length();
    }
}
