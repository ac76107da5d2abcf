package org.verbena.tools.perf;

import java.net.InetAddress;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.tools.link.LinkSetting;

/** Opens the links of a measurement. */
final class Links {
    private Links() {}

    /** Both ends of a loopback: the near one is the initiator's. */
    static LinkSetting.Pair pair(LocalSetting setting) {
        if (setting.link() == LinkKind.UDP) {
            return setting.wrapping().loopback();
        }
        InProcessNetwork network = new InProcessNetwork();
        return new LinkSetting.Pair(setting.wrapping().around(network.open()), network.open());
    }

    /** Over UDP on an address of this machine, at the port of RoCEv2 if it is free. */
    static Link at(InetAddress local, LocalSetting setting) {
        return setting.wrapping().around(LinkSetting.udp(local, Endpoint.ROCE_PORT, false));
    }
}
