package org.verbena.link.tcp;

import org.junit.jupiter.api.AfterEach;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.StreamNetworkContractTest;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.link.stream.StreamNetwork;

/** TCP keeps the contract of networks while the driving thread sleeps whenever a poll tells nothing: an event that is missed is slept through. */
final class TcpAsleepTest extends StreamNetworkContractTest {
    private static final long HOUR_NS = 3_600_000_000_000L;

    private final RunnerSleeper sleeper = new RunnerSleeper();

    @Override
    protected StreamNetwork open() {
        StreamNetwork made = TcpNetwork.open(Endpoint.of("127.0.0.1", 0).address(), TcpOptions.DEFAULT);
        sleeper.add(made);
        return made;
    }

    @Override
    protected void rest() {
        sleeper.sleep(HOUR_NS);
    }

    @AfterEach
    void closeSleeper() {
        sleeper.close();
    }
}
