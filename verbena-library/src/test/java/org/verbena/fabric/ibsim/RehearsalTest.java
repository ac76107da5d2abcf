package org.verbena.fabric.ibsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.topology.Topologies;

final class RehearsalTest {
    private static final Duration LONG = Duration.ofHours(1);
    /** More than one sweep of the rehearsal has. */
    private static final long REQUESTS = 1000;

    @Test
    void aRehearsalSweepsAndAnotherFabricDoesNotNotice() {
        try (Fabric fabric = Fabric.of(Topologies.ring(3, 1));
                IbsimServer server = IbsimServer.open(fabric, 0)) {
            IbsimCounters before = server.counters();

            long requests = Rehearsal.run(LONG, REQUESTS);

            assertTrue(requests >= REQUESTS && requests < 2 * REQUESTS, requests + " requests");
            assertEquals(before, server.counters());
            assertEquals(0, fabric.hops());
        }
    }

    @Test
    void aRehearsalWithoutTimeDoesNothing() {
        assertEquals(0, Rehearsal.run(Duration.ZERO));
    }

    @Test
    void anInterruptedThreadDoesNotRehearse() {
        Thread.currentThread().interrupt();
        try {
            assertEquals(0, Rehearsal.run(LONG));
        } finally {
            assertTrue(Thread.interrupted());
        }
    }
}
