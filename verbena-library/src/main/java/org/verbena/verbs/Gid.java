package org.verbena.verbs;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.verbena.link.Endpoint;

/**
 * A global identifier: the 128 bits by which a port is known. On Ethernet it is the port's IP address, IPv4 in its mapped
 * form {@code ::ffff:a.b.c.d}.
 *
 * @param high first 64 bits
 * @param low last 64 bits
 */
public record Gid(long high, long low) {
    public static Gid of(InetAddress address) {
        Endpoint endpoint = new Endpoint(address, 0);
        return new Gid(endpoint.high(), endpoint.low());
    }

    /** Its IP address. */
    public InetAddress address() {
        return Endpoint.of(high, low, 0).address();
    }

    /** As RDMA tools print it: eight groups of four digits. */
    @Override
    public String toString() {
        byte[] bytes = ByteBuffer.allocate(16).putLong(high).putLong(low).array();
        StringBuilder text = new StringBuilder(39);
        for (int at = 0; at < bytes.length; at += 2) {
            text.append(at == 0 ? "" : ":").append(HexFormat.of().formatHex(bytes, at, at + 2));
        }
        return text.toString();
    }
}
