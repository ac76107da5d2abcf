package org.verbena.link.udp.linux;

import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;

@EnabledOnOs(OS.LINUX)
@EnabledIf(value = "hasIpv6", disabledReason = "no IPv6 loopback address here")
final class LinuxUdpLinkIpv6Test extends LinkContractTest {
    static boolean hasIpv6() throws SocketException {
        return NetworkInterface.getByInetAddress(Endpoint.of("::1", 0).address()) != null;
    }

    @Override
    protected LinkPair open() {
        Endpoint anyPort = Endpoint.of("::1", 0);
        UdpOptions options = UdpOptions.defaults().withDriver(UdpDriver.LINUX);
        return new LinkPair(UdpNetwork.open(anyPort, options), UdpNetwork.open(anyPort, options));
    }

    @Override
    @Nullable
    protected LinkPair openWithTwoAddresses() {
        return LinkPair.udpWithTwoAddresses(UdpOptions.defaults().withDriver(UdpDriver.LINUX));
    }
}
