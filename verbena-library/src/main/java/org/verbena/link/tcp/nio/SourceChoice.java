package org.verbena.link.tcp.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import org.verbena.link.Endpoint;

/**
 * Whether the system begins a stream at an address by itself. Then the socket need not be bound: a bound one has a port to itself, also for the minute
 * after its end, and the system searches long for a free one when there are few. The route tells it; no packet is sent.
 */
final class SourceChoice {
    private static final int KNOWN_MAX = 4096;

    private final Map<InetAddress, InetAddress> known = new HashMap<>();

    boolean isChosen(InetAddress local, Endpoint remote) {
        InetAddress chosen = known.get(remote.address());
        if (chosen == null) {
            chosen = ask(remote);
            if (known.size() == KNOWN_MAX) {
                known.clear();
            }
            known.put(remote.address(), chosen);
        }
        return chosen.equals(local);
    }

    void forget(Endpoint remote) {
        known.remove(remote.address());
    }

    /** The address of this machine that packets to the remote one have; the remote one itself if there is no route. */
    private static InetAddress ask(Endpoint remote) {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(new InetSocketAddress(remote.address(), Math.max(remote.port(), 1)));
            return probe.getLocalAddress() instanceof InetSocketAddress local ? local.getAddress() : remote.address();
        } catch (IOException | IllegalArgumentException e) {
            return remote.address();
        }
    }
}
