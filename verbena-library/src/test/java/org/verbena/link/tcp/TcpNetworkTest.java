package org.verbena.link.tcp;

import org.verbena.link.Endpoint;
import org.verbena.link.contract.StreamNetworkContractTest;
import org.verbena.link.stream.StreamNetwork;

/** TCP keeps the contract of networks without a sleeper. */
final class TcpNetworkTest extends StreamNetworkContractTest {
    @Override
    protected StreamNetwork open() {
        return TcpNetwork.open(Endpoint.of("127.0.0.1", 0).address(), TcpOptions.DEFAULT);
    }

    @Override
    protected boolean tellsInVain() {
        return true;
    }
}
