package org.verbena.tools.perf;

import java.net.InetAddress;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.link.Place;

/** Opens the links and networks of a measurement. */
final class Links {
    private Links() {}

    /** Both ends of a loopback: the near one is the initiator's. */
    static LinkSetting.Pair pair(LocalSetting setting) {
        return switch (setting.link()) {
            case UDP -> setting.wrapping().loopback();
            case TCP -> setting.wrapping().streamLoopback();
            case INPROCESS -> {
                InProcessNetwork network = new InProcessNetwork();
                yield new LinkSetting.Pair(
                        Place.of(setting.wrapping().around(network.open())), Place.of(network.open()));
            }
        };
    }

    /** On an address of this machine: streams, or UDP at the port of RoCEv2 if it is free. */
    static Place at(InetAddress local, LocalSetting setting) {
        return setting.link() == LinkKind.TCP
                ? Place.of(setting.wrapping().streams(local))
                : Place.of(setting.wrapping().around(LinkSetting.udp(local, Endpoint.ROCE_PORT, false)));
    }
}
