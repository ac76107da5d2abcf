package org.verbena.link;

import org.jspecify.annotations.Nullable;

final class UdpLinkTest extends LinkContractTest {
    @Override
    LinkPair open() {
        Endpoint anyPort = Endpoint.of("127.0.0.1", 0);
        UdpOptions options = UdpOptions.defaults().withDriver(UdpDriver.NIO);
        return new LinkPair(UdpNetwork.open(anyPort, options), UdpNetwork.open(anyPort, options));
    }

    @Override
    @Nullable
    LinkPair openWithTwoAddresses() {
        return LinkPair.udpWithTwoAddresses(UdpOptions.defaults().withDriver(UdpDriver.NIO));
    }

    @Override
    boolean seesMarks() {
        return false;
    }
}
