package org.verbena.link.udp.linux;

import static org.verbena.link.linux.LinuxStructs.AF_INET;
import static org.verbena.link.linux.LinuxStructs.AF_INET6;
import static org.verbena.link.linux.LinuxStructs.INT_BIG;
import static org.verbena.link.linux.LinuxStructs.LONG_BIG;
import static org.verbena.link.linux.LinuxStructs.SHORT_BIG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import org.verbena.link.Endpoint;
import org.verbena.link.Packet;
import org.verbena.link.linux.LinuxStructs;

/** Endpoints as Linux's {@code sockaddr_in} and {@code sockaddr_in6}. */
public final class SocketAddressCodec {
    /** Bytes that either form fits in, rounded up. */
    public static final int LENGTH_MAX = 32;

    private static final long FAMILY = 0;
    private static final long PORT = 2;
    private static final long ADDRESS_4 = 4;
    private static final long ADDRESS_6 = 8;
    private static final long SCOPE = 24;

    private SocketAddressCodec() {}

    /** Writes an endpoint; returns the length of its form. */
    public static int write(MemorySegment s, long at, Endpoint endpoint) {
        return write(s, at, endpoint, endpoint.address() instanceof Inet6Address address ? address.getScopeId() : 0);
    }

    /** Writes an endpoint that, if it is one of IPv6, is meant on this interface; 0 means on any. */
    static int write(MemorySegment s, long at, Endpoint endpoint, int scope) {
        s.asSlice(at, LENGTH_MAX).fill((byte) 0);
        s.set(SHORT_BIG, at + PORT, (short) endpoint.port());
        if (endpoint.ipv6()) {
            s.set(ValueLayout.JAVA_SHORT, at + FAMILY, (short) AF_INET6);
            s.set(LONG_BIG, at + ADDRESS_6, endpoint.high());
            s.set(LONG_BIG, at + ADDRESS_6 + 8, endpoint.low());
            s.set(ValueLayout.JAVA_INT, at + SCOPE, scope);
            return (int) LinuxStructs.SOCKADDR_IN6.byteSize();
        }
        s.set(ValueLayout.JAVA_SHORT, at + FAMILY, (short) AF_INET);
        s.set(INT_BIG, at + ADDRESS_4, (int) endpoint.low());
        return (int) LinuxStructs.SOCKADDR_IN.byteSize();
    }

    /** Tells a packet where it comes from. */
    static void readSource(MemorySegment s, long at, Packet packet) {
        int port = port(s, at);
        if (s.get(ValueLayout.JAVA_SHORT, at + FAMILY) == AF_INET6) {
            packet.from(s.get(LONG_BIG, at + ADDRESS_6), s.get(LONG_BIG, at + ADDRESS_6 + 8), port);
        } else {
            packet.from(0, Endpoint.mapped(s.get(INT_BIG, at + ADDRESS_4)), port);
        }
    }

    /** Reads an endpoint. */
    static Endpoint read(MemorySegment s, long at) {
        return s.get(ValueLayout.JAVA_SHORT, at + FAMILY) == AF_INET6
                ? Endpoint.of(s.get(LONG_BIG, at + ADDRESS_6), s.get(LONG_BIG, at + ADDRESS_6 + 8), port(s, at))
                : Endpoint.of(0, Endpoint.mapped(s.get(INT_BIG, at + ADDRESS_4)), port(s, at));
    }

    static int port(MemorySegment s, long at) {
        return Short.toUnsignedInt(s.get(SHORT_BIG, at + PORT));
    }
}
