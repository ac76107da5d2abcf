package org.verbena.link.stream;

import java.net.InetAddress;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.StreamNetworkContractTest;
import org.verbena.time.Seed;

/** Networks within the process keep the contract. */
final class MemoryStreamsTest extends StreamNetworkContractTest {
    private final MemoryStreams streams = new MemoryStreams(20_000, 1448, 0, new Seed(1));
    private int opened;

    @Override
    protected StreamNetwork open() {
        return streams.open(address("10.0.0." + ++opened));
    }

    private static InetAddress address(String literal) {
        return Endpoint.of(literal, 0).address();
    }
}
