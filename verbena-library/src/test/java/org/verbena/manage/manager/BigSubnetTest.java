package org.verbena.manage.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedPort;

/** Three levels of 36-port switches: 11,664 hosts. With LMC 2 the subnet has 48,276 local identifiers of 49,151. */
final class BigSubnetTest {
    private static final int PORTS = 36;
    private static final int PAIRS = 20_000;

    @Test
    void aSubnetOf11664HostsAnd48276IdentifiersComesUp() {
        Shape shape = Shape.tree(PORTS);
        List<Shape.Member> hosts = shape.hosts();
        assertEquals(11_664, hosts.size());
        AgentStand stand = new AgentStand(shape);
        stand.keepsRequests = false;
        long startNs = System.nanoTime();
        SubnetManager manager = stand.manage(hosts.getFirst().name, ManagerOptions.DEFAULT.withLmc(2));
        System.out.printf(
                "%,d hosts, %,d local identifiers: sweep of %,d requests in %.1f s%n",
                hosts.size(), manager.graph().topLid(), manager.sent(), (System.nanoTime() - startNs) / 1e9);
        assertEquals(List.of(), manager.problems());
        assertTrue(manager.graph().topLid() >= 48_276);
        Random chance = new Random(1);
        for (int pair = 0; pair < PAIRS; pair++) {
            ManagedPort from = stand.port(hosts.get(chance.nextInt(hosts.size())).name, 1);
            ManagedPort to = stand.port(hosts.get(chance.nextInt(hosts.size())).name, 1);
            assertEquals(PortState.ACTIVE, to.state());
            assertEquals(to, stand.arrival(from, to.lid() + chance.nextInt(4), false));
        }
    }
}
