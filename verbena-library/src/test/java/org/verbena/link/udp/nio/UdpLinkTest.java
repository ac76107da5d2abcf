package org.verbena.link.udp.nio;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;

final class UdpLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open() {
        Endpoint anyPort = Endpoint.of("127.0.0.1", 0);
        UdpOptions options = UdpOptions.defaults().withDriver(UdpDriver.NIO);
        return new LinkPair(UdpNetwork.open(anyPort, options), UdpNetwork.open(anyPort, options));
    }

    @Override
    @Nullable
    protected LinkPair openWithTwoAddresses() {
        return LinkPair.udpWithTwoAddresses(UdpOptions.defaults().withDriver(UdpDriver.NIO));
    }

    @Override
    protected boolean seesMarks() {
        return false;
    }
}
