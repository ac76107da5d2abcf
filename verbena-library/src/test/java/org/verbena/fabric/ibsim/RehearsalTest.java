package org.verbena.fabric.ibsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.topology.Topologies;

final class RehearsalTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void aRehearsalSweepsAndAnotherFabricDoesNotNotice() {
        try (Fabric fabric = Fabric.of(Topologies.ring(3, 1));
                IbsimServer server = IbsimServer.open(fabric, 0)) {
            IbsimCounters before = server.counters();

            long requests = Rehearsal.run(LONG);

            assertTrue(requests >= 30_000, requests + " requests");
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
