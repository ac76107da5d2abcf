package org.verbena.adapter.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;

/** Numbers of address handles: none means two destinations, none is given out twice. */
final class DestinationsTest {
    private final Destinations destinations = new Destinations();
    private final ProtectionDomain domain = new ProtectionTable(16, new Seed(1)).createDomain();

    private static LinkPath path() {
        return new InProcessNetwork().open().path(Endpoint.of("10.0.0.9", 4791), LinkFlow.of(0));
    }

    @Test
    void removingAgainOrWhatIsNotThereDoesNothing() {
        int first = destinations.add(path(), domain);
        destinations.remove(first);
        destinations.remove(first);
        destinations.remove(first + 5);
        LinkPath second = path();
        LinkPath third = path();
        int secondHandle = destinations.add(second, domain);
        destinations.remove(first);
        int thirdHandle = destinations.add(third, domain);
        assertNotEquals(secondHandle & 0xffff, thirdHandle & 0xffff);
        assertSame(second, destinations.find(secondHandle, domain));
        assertSame(third, destinations.find(thirdHandle, domain));
        assertNull(destinations.find(first, domain));
        assertEquals(0, first);
    }
}
