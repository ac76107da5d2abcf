package org.verbena.link.tcp;

import org.junit.jupiter.api.AfterEach;
import org.verbena.link.Endpoint;
import org.verbena.link.contract.StreamNetworkContractTest;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.link.stream.StreamNetwork;

/** TCP keeps the contract of networks while the driving thread never sleeps: looks find all events. */
final class TcpAwakeTest extends StreamNetworkContractTest {
    private final RunnerSleeper sleeper = new RunnerSleeper();

    @Override
    protected StreamNetwork open() {
        StreamNetwork made = TcpNetwork.open(Endpoint.of("127.0.0.1", 0).address(), TcpOptions.DEFAULT);
        sleeper.add(made);
        return made;
    }

    @AfterEach
    void closeSleeper() {
        sleeper.close();
    }
}
