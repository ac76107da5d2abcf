package org.verbena.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.verbena.fabric.Fabric;
import org.verbena.fabric.FabricOptions;
import org.verbena.fabric.ThreeSwitches;
import org.verbena.link.Link;
import org.verbena.time.Seed;

/** All links at ports of a fabric of three switches. */
public final class SwitchedNetwork implements WorldNetwork {
    private static final int BUFFER_BYTES = 8 * 1024;
    private static final long STEP_NS = 1_000_000;

    private final ThreeSwitches switches;
    private final Fabric fabric;
    private final int hosts;

    /** Buffers, timing and cables follow from the seed. */
    public SwitchedNetwork(long nowNs, Seed seed, int hosts) {
        this.hosts = hosts;
        FabricOptions options = FabricOptions.DEFAULT
                .withSeed(seed.fork("fabric"))
                .withBufferBytes(BUFFER_BYTES << seed.nextInt(4))
                .withSwitchDelayNs(seed.nextInt(500))
                .withStoreAndForward(seed.nextBoolean());
        switches = new ThreeSwitches(hosts, options);
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
    public long switched() {
        long packets = 0;
        for (int host = 0; host < hosts; host++) {
            packets += switches.port(host).counters().transmittedPackets;
        }
        return packets;
    }

    /** The credits of all lanes, from both ends. */
    @Override
    public void audit() {
        while (isBusy()) {
            fabric.run(fabric.nowNs() + STEP_NS);
        }
        assertEquals(List.of(), fabric.auditCredits());
    }

    @Override
    public void close() {
        switches.close();
    }
}
