package org.verbena.link.udp.nio;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.verbena.link.Endpoint;
import org.verbena.link.Packet;

/** Remembers the 128-bit form of socket addresses: to ask one for its bytes allocates, so it is done once per source. */
final class SourceAddresses {
    private static final int KNOWN_MAX = 4096;

    private record Source(long high, long low, int port) {}

    private final Map<SocketAddress, Source> known = new HashMap<>();

    /** Tells a packet where it comes from. */
    void tell(SocketAddress address, Packet packet) {
        Source source = find(address);
        packet.from(source.high(), source.low(), source.port());
    }

    private Source find(SocketAddress address) {
        Source source = known.get(address);
        if (source == null) {
            source = of((InetSocketAddress) address);
            if (known.size() == KNOWN_MAX) {
                known.clear();
            }
            known.put(address, source);
        }
        return source;
    }

    private static Source of(InetSocketAddress address) {
        Endpoint endpoint = new Endpoint(address.getAddress(), address.getPort());
        return new Source(endpoint.high(), endpoint.low(), endpoint.port());
    }
}
