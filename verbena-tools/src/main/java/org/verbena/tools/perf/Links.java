package org.verbena.tools.perf;

import java.net.InetAddress;
import org.verbena.link.Endpoint;
import org.verbena.link.InProcessNetwork;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.tools.link.LinkSetting;

/** Opens the links of a measurement. */
final class Links {
    private Links() {}

    /** Both ends of a loopback: the initiator's link, then the target's. */
    record Pair(Link initiator, Link target) {}

    static Pair pair(LocalSetting setting) {
        InProcessNetwork network = new InProcessNetwork();
        boolean udp = setting.link() == LinkKind.UDP;
        Link target = udp ? loopback(0) : network.open();
        try {
            // The port of RoCEv2 is the one that Wireshark decodes unasked.
            Link initiator =
                    !udp ? network.open() : loopback(setting.wrapping().capture() == null ? 0 : Endpoint.ROCE_PORT);
            return new Pair(setting.wrapping().around(initiator), target);
        } catch (LinkException e) {
            target.close();
            throw e;
        }
    }

    private static Link loopback(int port) {
        return LinkSetting.udp(InetAddress.getLoopbackAddress(), port, false);
    }

    /** Over UDP on an address of this machine, at the port of RoCEv2 if it is free. */
    static Link at(InetAddress local, LocalSetting setting) {
        return setting.wrapping().around(LinkSetting.udp(local, Endpoint.ROCE_PORT, false));
    }
}
