package org.verbena.simulation;

import java.util.List;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;

/** One run: a world, what is done in it and who watches, all of it from a scenario's name and a seed. */
final class Simulation {
    private static final int ROUNDS = 4;

    /** What a run came to. */
    record Outcome(long packets, long completions, long virtualNs, long hash, long notReady) {
        Outcome plus(Outcome other) {
            return new Outcome(
                    packets + other.packets,
                    completions + other.completions,
                    virtualNs + other.virtualNs,
                    hash ^ other.hash,
                    notReady + other.notReady);
        }
    }

    private Simulation() {}

    /** Runs about so many packets; a fault found is an {@link AssertionError} whose message ends in how to repeat it. */
    static Outcome run(Scenario scenario, long seed, long packets) {
        try {
            return run(scenario, new Seed(seed), packets);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(e + "\nto repeat: " + repeatLine(scenario, seed, packets), e);
        }
    }

    /** The command that does the same run again. */
    static String repeatLine(Scenario scenario, long seed, long packets) {
        return "./verbena test -pl :verbena -Dtest=SimulationTest -Dverbena.scenario=" + scenario.name()
                + " -Dverbena.seed=" + seed + " -Dverbena.packets=" + packets;
    }

    private static Outcome run(Scenario scenario, Seed seed, long packets) {
        Seed shape = seed.fork("shape");
        try (World world = new World(seed, Topology.wire(shape), scenario.faults(), 2 + shape.nextInt(3))) {
            try {
                return run(world, seed, packets);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(e + "\n" + world.describe(), e);
            }
        }
    }

    private static Outcome run(World world, Seed seed, long packets) {
        Topology topology = new Topology(world, seed.fork("topology"));
        List<Lane> lanes = topology.lanes();
        var checkers = new Checkers(
                List.of(new DeliveryChecker(lanes), new AtomicChecker(), new MemoryChecker(world.nodes())));
        Ledger ledger = new Ledger(world.trace(), checkers);
        for (int i = 0; i < lanes.size(); i++) {
            ledger.know(lanes.get(i), lanes.get(i ^ 1));
        }
        var workload = new RandomWorkload(world, lanes, ledger, checkers, seed.fork("workload"));
        for (int round = 0; round < ROUNDS; round++) {
            workload.begin(packets / ROUNDS);
            world.run(workload);
            world.settle();
            checkers.onQuiet();
        }
        world.run(new TrespassWorkload(world, lanes, seed.fork("trespass")));
        world.settle();
        checkers.onQuiet();
        world.shutDown();
        new FrameChecker(world.nodes()).onClosed();
        return new Outcome(
                world.trace().packets(),
                ledger.completions(),
                world.nowNs(),
                world.trace().hash(),
                world.total(Counter.RECEIVED_RNR_NAKS));
    }
}
