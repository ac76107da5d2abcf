package org.verbena.simulation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.verbena.Operation;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;

/**
 * One run: a world, what is done in it and who watches, all of it from a scenario's name and a seed. Rounds of work, each
 * checked when all is quiet; then trespasses; then everything is closed and counted.
 */
final class Simulation implements AutoCloseable {
    private static final int ROUNDS = 4;

    /** What a run came to, or several. */
    record Outcome(
            long packets,
            long switched,
            long virtualNs,
            long hash,
            long notReady,
            long faults,
            int failures,
            Map<Operation, Long> done) {
        static final Outcome NONE = new Outcome(0, 0, 0, 0, 0, 0, 0, Map.of());

        Outcome plus(Outcome other) {
            var all = new EnumMap<Operation, Long>(Operation.class);
            all.putAll(done);
            other.done.forEach((operation, count) -> all.merge(operation, count, Long::sum));
            return new Outcome(
                    packets + other.packets,
                    switched + other.switched,
                    virtualNs + other.virtualNs,
                    hash ^ other.hash,
                    notReady + other.notReady,
                    faults + other.faults,
                    failures + other.failures,
                    all);
        }

        @Override
        public String toString() {
            long requests = done.values().stream().mapToLong(Long::longValue).sum();
            return packets + " packets, " + (switched == 0 ? "" : switched + " of them over switches, ") + requests
                    + " requests, " + notReady + " times not ready, "
                    + faults + " page faults, " + failures + " connections failed, "
                    + virtualNs / 1_000_000 + " ms of virtual time, trace " + Long.toHexString(hash);
        }
    }

    private final Seed seed;
    private final World world;
    private final List<Lane> lanes;
    private final Checkers checkers;
    private final Ledger ledger;
    private final RandomWorkload workload;

    Simulation(Scenario scenario, Seed seed) {
        this.seed = seed;
        Seed shape = seed.fork("shape");
        SimulatedWire wire = Topology.wire(shape);
        int nodeCount = 2 + shape.nextInt(3);
        world = scenario.switched()
                ? new World(seed, scenario.faults(), nodeCount)
                : new World(seed, wire, scenario.faults(), nodeCount);
        lanes = new Topology(world, scenario.paging(), seed.fork("topology")).lanes();
        // Pages first: the others look at memory, and have pages brought in by that.
        checkers = new Checkers(List.of(
                new PageChecker(world.nodes()),
                new DeliveryChecker(lanes),
                new AtomicChecker(),
                new MemoryChecker(world.nodes())));
        ledger = new Ledger(world.trace(), checkers);
        for (int i = 0; i < lanes.size(); i++) {
            ledger.know(lanes.get(i), lanes.get(i ^ 1));
        }
        workload = new RandomWorkload(world, lanes, ledger, checkers, seed.fork("workload"));
    }

    /** Runs about this number of packets. An error found is an {@link AssertionError} whose message ends with the command that repeats it. */
    static Outcome run(Scenario scenario, long seed, long packets) {
        try (Simulation simulation = new Simulation(scenario, new Seed(seed))) {
            return simulation.run(packets);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(e.getMessage() + "\nto repeat: " + repeatLine(scenario, seed, packets), e);
        }
    }

    private Outcome run(long packets) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                round(packets / ROUNDS);
            }
            return finish();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(e + "\n" + world.describe(), e);
        }
    }

    /** The command that does the same run again. */
    static String repeatLine(Scenario scenario, long seed, long packets) {
        return "./verbena test -pl :verbena -Dtest=SimulationTest -Dverbena.scenario=" + scenario.name()
                + " -Dverbena.seed=" + seed + " -Dverbena.packets=" + packets;
    }

    World world() {
        return world;
    }

    List<Lane> lanes() {
        return lanes;
    }

    /** Works until about this number of packets have been sent and all posted requests are completed. */
    void round(long packets) {
        workload.begin(packets);
        world.run(workload);
        world.settle();
        checkers.onQuiet();
    }

    Outcome finish() {
        world.mend();
        TrespassWorkload trespass = new TrespassWorkload(world, lanes, seed.fork("trespass"));
        world.run(trespass);
        world.settle();
        trespass.forgive();
        checkers.onQuiet();
        world.shutDown();
        world.audit();
        new FrameChecker(world.nodes()).onClosed();
        return new Outcome(
                world.trace().packets(),
                world.switched(),
                world.nowNs(),
                world.trace().hash(),
                world.total(Counter.RECEIVED_RNR_NAKS),
                world.pageFaults(),
                ledger.failures(),
                ledger.done());
    }

    @Override
    public void close() {
        world.close();
    }
}
