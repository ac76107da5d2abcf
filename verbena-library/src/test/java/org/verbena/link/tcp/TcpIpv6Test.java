package org.verbena.link.tcp;

import java.net.NetworkInterface;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIf;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.StreamNetworkContractTest;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.link.stream.StreamNetwork;

/** Networks at the IPv6 address of this machine, with a sleeper. */
@EnabledIf(value = "hasIpv6", disabledReason = "no IPv6 loopback address here")
final class TcpIpv6Test extends StreamNetworkContractTest {
    private final RunnerSleeper sleeper = new RunnerSleeper();

    static boolean hasIpv6() throws SocketException {
        return NetworkInterface.getByInetAddress(Endpoint.of("::1", 0).address()) != null;
    }

    @Override
    protected StreamNetwork open() {
        StreamNetwork made = TcpNetwork.open(Endpoint.of("::1", 0).address(), TcpOptions.DEFAULT);
        sleeper.add(made);
        return made;
    }

    @Override
    protected void rest() {
        sleeper.sleep(Long.MAX_VALUE);
    }

    @AfterEach
    void closeSleeper() {
        sleeper.close();
    }
}
