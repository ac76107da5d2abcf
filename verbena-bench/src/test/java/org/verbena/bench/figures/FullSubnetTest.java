package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code -Dverbena.fabric.ports=36} the subnets are full: 48,276 local identifiers each. That takes minutes. */
final class FullSubnetTest {
    private static final int PORTS = Integer.getInteger("verbena.fabric.ports", 6);
    private static final int PAIRS = Integer.getInteger("verbena.fabric.pairs", 50);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void subnetsWithFourIdentifiersAHostAreSweptAndCarryPackets(int subnets) throws InterruptedException {
        FullSubnet.Outcome outcome = FullSubnet.measure(PORTS, subnets, PAIRS);
        int hosts = PORTS * PORTS * PORTS / 4;
        int switches = 5 * PORTS * PORTS / 4;
        assertEquals((long) subnets * ((hosts << FullSubnet.LMC) + switches), outcome.identifiers());
        assertEquals(100, outcome.arrivedPercent());
    }
}
