package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Header of rdma_cm before the private data of a {@link Req} or {@link SidrReq} for an IP service (annex A11): both IP addresses
 * and the source port. The target's port is in the service id.
 *
 * @param ipv6 whether the addresses are IPv6; IPv4 ones are mapped here, and bare on the wire
 * @param sourcePort 16 bits
 */
public record IpCmHeader(boolean ipv6, int sourcePort, Gid source, Gid target) {
    /** Bytes on the wire. */
    public static final int LENGTH = 36;

    private static final int SOURCE = 4;
    private static final int TARGET = 20;
    private static final long MAPPED = 0xffffL << 32;

    /** The header at the beginning of private data; null if they do not begin with one. */
    public static @Nullable IpCmHeader of(PrivateData data) {
        return data.length() < LENGTH ? null : read(MemorySegment.ofArray(data.bytes()), 0);
    }

    /** Reads the header at {@code at}; null if its version or its IP version is unknown. */
    public static @Nullable IpCmHeader read(MemorySegment segment, long at) {
        int version = BigEndian.readByte(segment, at + 1) >>> 4;
        if (BigEndian.readByte(segment, at) != 0 || (version != 4 && version != 6)) {
            return null;
        }
        boolean ipv6 = version == 6;
        return new IpCmHeader(
                ipv6,
                BigEndian.readShort(segment, at + 2),
                address(segment, at + SOURCE, ipv6),
                address(segment, at + TARGET, ipv6));
    }

    private static Gid address(MemorySegment segment, long at, boolean ipv6) {
        Gid found = Gid.read(segment, at);
        return ipv6 ? found : new Gid(0, MAPPED | (found.low() & 0xffff_ffffL));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeShort(segment, at, ipv6 ? 0x60 : 0x40);
        BigEndian.writeShort(segment, at + 2, sourcePort);
        bare(source).write(segment, at + SOURCE);
        bare(target).write(segment, at + TARGET);
    }

    private Gid bare(Gid address) {
        return ipv6 ? address : new Gid(0, address.low() & 0xffff_ffffL);
    }

    /** The header, with a consumer's own data behind it. */
    public PrivateData before(PrivateData own) {
        byte[] bytes = new byte[LENGTH];
        write(MemorySegment.ofArray(bytes), 0);
        return own.after(PrivateData.of(bytes));
    }
}
