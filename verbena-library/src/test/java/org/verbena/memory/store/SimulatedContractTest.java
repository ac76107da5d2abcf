package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

final class SimulatedContractTest extends PageStoreContract {
    @Override
    PageStore open() {
        return new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(1));
    }

    @Override
    void await(PageStore opened, Pages pages, int ended) {
        SimulatedPageStore simulated = (SimulatedPageStore) opened;
        while (pages.ended.get() < ended) {
            assertTrue(simulated.work(simulated.nextDeadlineNs()) > 0);
        }
    }
}
