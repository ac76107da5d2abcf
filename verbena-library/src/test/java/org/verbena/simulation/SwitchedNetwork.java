package org.verbena.simulation;

import org.verbena.fabric.Fabric;
import org.verbena.fabric.FabricOptions;
import org.verbena.fabric.ThreeSwitches;
import org.verbena.link.Link;
import org.verbena.time.Seed;

/** All links at ports of a fabric of three switches. */
final class SwitchedNetwork implements WorldNetwork {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final ThreeSwitches switches;
    private final Fabric fabric;

    /** Buffers, timing and cables follow from the seed. */
    SwitchedNetwork(long nowNs, Seed seed, int links) {
        FabricOptions options = FabricOptions.DEFAULT
                .withSeed(seed.fork("fabric"))
                .withBufferBytes(BUFFER_BYTES << seed.nextInt(4))
                .withSwitchDelayNs(seed.nextInt(500))
                .withStoreAndForward(seed.nextBoolean());
        switches = new ThreeSwitches(links, options);
        fabric = switches.fabric();
        fabric.run(nowNs);
    }

    @Override
    public Link open() {
        return switches.open();
    }

    @Override
    public boolean isBusy() {
        return fabric.nextEventNs() != Long.MAX_VALUE;
    }

    @Override
    public long pass(long earliestNs, long latestNs) {
        if (latestNs == Long.MAX_VALUE && !isBusy()) {
            return latestNs;
        }
        long nowNs = fabric.run(latestNs);
        while (nowNs < earliestNs) {
            nowNs = fabric.run(earliestNs);
        }
        return nowNs;
    }

    @Override
    public void close() {
        switches.close();
    }
}
