package org.verbena.services.lan.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The data of an ATTACH request.
 *
 * @param offloads whether each datum begins with an offload header, if the unit agrees
 * @param mtu that the host wants
 * @param address that the host wants; 0: the unit assigns one
 * @param identity a secret number of the host: a host that connects again before the unit has noticed the end of its old connection takes its addresses over; 0: none
 * @param name of the host, for people
 */
public record AttachRequest(boolean offloads, int mtu, long address, long identity, String name) {
    /** Version of the configuration messages. */
    public static final int VERSION = 1;
    /** Bytes without the name. */
    public static final int LENGTH = 22;
    /** Bytes of a name at most. */
    public static final int NAME_BYTES_MAX = 64;

    private static final int OFFLOADS = 1;

    /** Reads it; null if it is malformed or of another version. */
    public static @Nullable AttachRequest read(MemorySegment memory, long offset, int length) {
        ConfigReader in = new ConfigReader(memory, offset, length);
        int version = in.readShort();
        int flags = in.readShort();
        int mtu = in.readShort();
        long address = in.readAddress();
        long identity = in.readLong();
        int nameBytes = in.readShort();
        String name = nameBytes <= NAME_BYTES_MAX ? in.readText(nameBytes) : "";
        return version == VERSION && (flags & ~OFFLOADS) == 0 && in.isExact()
                ? new AttachRequest(flags != 0, mtu, address, identity, name)
                : null;
    }

    /** Writes it, the name cut to {@link #NAME_BYTES_MAX} bytes, and returns its bytes. */
    public int write(MemorySegment memory, long offset) {
        byte[] cut = ConfigWriter.cut(name, NAME_BYTES_MAX);
        return new ConfigWriter(memory, offset)
                .writeShort(VERSION)
                .writeShort(offloads ? OFFLOADS : 0)
                .writeShort(mtu)
                .writeAddress(address)
                .writeLong(identity)
                .writeShort(cut.length)
                .writeBytes(cut)
                .length();
    }
}
