package org.verbena.exchange;

import org.verbena.link.Link;
import org.verbena.link.simulated.SimulatedNetwork;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.time.NanoClock;

/** All links on wires of one kind, without a switch between them. */
public final class FlatNetwork implements WorldNetwork {
    private final SimulatedNetwork network;

    public FlatNetwork(NanoClock clock, SimulatedWire wire) {
        network = new SimulatedNetwork(clock, wire);
    }

    @Override
    public Link open() {
        return network.open();
    }

    @Override
    public boolean isBusy() {
        return network.nextDeliveryNs() != Long.MAX_VALUE;
    }

    @Override
    public long pass(long earliestNs, long latestNs) {
        return Math.max(earliestNs, Math.min(latestNs, network.nextDeliveryNs()));
    }

    @Override
    public long switched() {
        return 0;
    }

    @Override
    public void audit() {}

    @Override
    public void close() {}
}
