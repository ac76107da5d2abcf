package org.verbena.link.udp.nio;

import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledIf;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;

@EnabledIf(value = "hasIpv6", disabledReason = "no IPv6 loopback address here")
final class UdpLinkIpv6Test extends LinkContractTest {
    static boolean hasIpv6() throws SocketException {
        return NetworkInterface.getByInetAddress(Endpoint.of("::1", 0).address()) != null;
    }

    @Override
    protected LinkPair open() {
        Endpoint anyPort = Endpoint.of("::1", 0);
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
