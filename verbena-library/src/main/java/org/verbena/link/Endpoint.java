package org.verbena.link;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * An IP address and a port of UDP or TCP.
 *
 * <p>{@link #high()} and {@link #low()} give every address as 128 bits, IPv4 in its mapped form {@code ::ffff:a.b.c.d}.
 */
public record Endpoint(InetAddress address, int port) implements Address {
    /** The UDP port of RoCEv2. */
    public static final int ROCE_PORT = 4791;

    private static final long MAPPED = 0xffffL << 32;
    private static final long LOW_32 = 0xffff_ffffL;

    public Endpoint {
        if (port < 0 || port > 0xffff) {
            throw new LinkException("port " + port + " found, 0 … 65535 expected");
        }
    }

    /** The endpoint at a host's name or literal address. */
    public static Endpoint of(String host, int port) {
        try {
            return new Endpoint(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new LinkException("host \"" + host + "\" found, a known name or an address expected", e);
        }
    }

    /**
     * The endpoint of a socket address.
     *
     * @throws LinkException if its host is not resolved
     */
    public static Endpoint of(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new LinkException(
                    "host \"" + address.getHostString() + "\" found, a known name or an address expected");
        }
        return new Endpoint(address.getAddress(), address.getPort());
    }

    /** The endpoint whose address has these 128 bits. */
    public static Endpoint of(long high, long low, int port) {
        try {
            byte[] bytes = isMapped(high, low)
                    ? ByteBuffer.allocate(4).putInt((int) low).array()
                    : ByteBuffer.allocate(16).putLong(high).putLong(low).array();
            return new Endpoint(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are always an address", e);
        }
    }

    /**
     * The same address as an IP one.
     *
     * @throws LinkException if it is of another kind
     */
    public static Endpoint of(Address address) {
        if (address instanceof Endpoint endpoint) {
            return endpoint;
        }
        throw new LinkException("address " + address + " found, an IP address and a port expected");
    }

    /** Whether these 128 bits are an IPv4 address in mapped form. */
    public static boolean isMapped(long high, long low) {
        return high == 0 && (low & ~LOW_32) == MAPPED;
    }

    /** The low half of an IPv4 address in mapped form; its high half is 0. */
    public static long mapped(int address) {
        return MAPPED | (address & LOW_32);
    }

    /** The same address with another port. */
    public Endpoint withPort(int other) {
        return new Endpoint(address, other);
    }

    public boolean ipv6() {
        return address instanceof Inet6Address;
    }

    @Override
    public long high() {
        return ipv6() ? ByteBuffer.wrap(address.getAddress()).getLong(0) : 0;
    }

    @Override
    public long low() {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return ipv6() ? bytes.getLong(8) : mapped(bytes.getInt(0));
    }

    /** Address and port as people write them: {@code 10.0.0.1:4791}, {@code [::1]:4791}. */
    @Override
    public String toString() {
        String host = address.getHostAddress();
        return (ipv6() ? "[" + host + "]" : host) + ":" + port;
    }
}
