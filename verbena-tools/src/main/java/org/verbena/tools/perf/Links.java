package org.verbena.tools.perf;

import java.net.InetAddress;
import java.time.Instant;
import org.verbena.link.CapturedLink;
import org.verbena.link.Endpoint;
import org.verbena.link.InProcessNetwork;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.UdpNetwork;
import org.verbena.time.Clock;

/** Opens the links of a measurement. */
final class Links {
    private Links() {}

    /** Both ends of a loopback: the initiator's link, then the target's. */
    record Pair(Link initiator, Link target) {}

    static Pair pair(LocalSetting setting) {
        InProcessNetwork network = new InProcessNetwork();
        boolean udp = setting.link() == LinkKind.UDP;
        Link target = udp ? udp(InetAddress.getLoopbackAddress(), 0) : network.open();
        try {
            // The port of RoCEv2 is the one that Wireshark decodes unasked.
            Link initiator = !udp
                    ? network.open()
                    : setting.capture() == null
                            ? udp(InetAddress.getLoopbackAddress(), 0)
                            : udp(InetAddress.getLoopbackAddress(), Endpoint.ROCE_PORT);
            return new Pair(captured(initiator, setting), target);
        } catch (LinkException e) {
            target.close();
            throw e;
        }
    }

    /** Over UDP on an address of this machine, at the port of RoCEv2 if it is free. */
    static Link at(InetAddress local, LocalSetting setting) {
        return captured(udp(local, Endpoint.ROCE_PORT), setting);
    }

    /** At this port; at another one if it is taken. */
    private static Link udp(InetAddress local, int port) {
        try {
            return UdpNetwork.open(new Endpoint(local, port));
        } catch (LinkException taken) {
            if (port == 0) {
                throw taken;
            }
            return UdpNetwork.open(new Endpoint(local, 0));
        }
    }

    private static Link captured(Link link, LocalSetting setting) {
        if (setting.capture() == null) {
            return link;
        }
        try {
            return CapturedLink.toFile(link, setting.capture(), sinceEpoch());
        } catch (LinkException e) {
            link.close();
            throw e;
        }
    }

    /** As steady as the machine's clock, with its origin moved to 1970. */
    private static Clock sinceEpoch() {
        Instant now = Instant.now();
        long originNs = now.getEpochSecond() * 1_000_000_000 + now.getNano() - System.nanoTime();
        return () -> originNs + System.nanoTime();
    }
}
