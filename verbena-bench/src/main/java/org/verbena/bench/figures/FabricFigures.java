package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The figures of the simulated fabric. They have a page of their own. */
final class FabricFigures {
    /** How the names of these figures begin. */
    static final String NAME = "fabric ";

    /** Millions of packet hops a second. */
    private static final double HOPS = 2;
    /** Bytes per hop that the virtual machine itself allocates; more is an allocation of the data path. */
    private static final double RESIDUE = 0.05;

    private static final int[] PAYLOADS = {64, 256, 2048};
    private static final int TREE_PORTS = 36;
    private static final int HEAP_MIB = 1024;
    private static final double BUILD_SECONDS = 2;
    private static final int PAIRS = 200;
    private static final long SUBNET_LIMIT_SECONDS = 1800;
    private static final int SWEEP_ROUNDS = 7;
    private static final long SWEEP_LIMIT_SECONDS = 300;
    private static final List<Integer> SWEEP_HOSTS = List.of(108, 1024);

    private final int seconds;

    FabricFigures(int seconds) {
        this.seconds = seconds;
    }

    List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        for (int payload : PAYLOADS) {
            load(payload, all);
        }
        build(all);
        subnets(1, "full subnet", all);
        subnets(2, "two full subnets and a router", all);
        for (int hosts : SWEEP_HOSTS) {
            sweep(hosts, all);
        }
        return all;
    }

    private static ProgramNumbers numbers(String name, String only, Program program, @Nullable String missing) {
        return new ProgramNumbers(name, "./verbena bench figures --only '" + NAME + only + "'", program, missing);
    }

    private static Figure told(String name, String unit, Subject subject, boolean largerIsBetter) {
        return new Figure(NAME + name, unit, List.of(subject), List.of(new Requirement.Told(largerIsBetter)));
    }

    // --- packets

    private void load(int payload, List<Figure> all) {
        ProgramNumbers load = numbers(
                "64 hosts, all to all",
                "load",
                OwnProcess.program(FabricLoad.class, Integer.toString(payload), Integer.toString(seconds)),
                null);
        String name = String.format(Locale.ROOT, "load of a fat tree, payload %,d B: ", payload);
        all.add(new Figure(
                        NAME + name + "packet hops",
                        "M/s",
                        List.of(load.number(0)),
                        List.of(new Requirement.AtLeast(HOPS)))
                .ofBetterHalves());
        all.add(new Figure(
                NAME + name + "allocation",
                "B per hop",
                List.of(load.number(1)),
                List.of(new Requirement.Nothing(RESIDUE))));
        all.add(told(name + "payload that a host sends, virtual time", "Gbit/s", load.number(2), true));
    }

    // --- build

    private static void build(List<Figure> all) {
        ProgramNumbers build = numbers(
                "first fabric of a process, -Xmx1g",
                "build",
                OwnProcess.program(List.of("-Xmx" + HEAP_MIB + "m"), FabricBuild.class, Integer.toString(TREE_PORTS)),
                null);
        all.add(new Figure(
                        NAME + "build of 11,664 hosts: time",
                        "s",
                        List.of(build.number(0)),
                        List.of(new Requirement.AtMost(BUILD_SECONDS)))
                .ofBetterHalves());
        all.add(new Figure(
                NAME + "build of 11,664 hosts: heap",
                "MiB",
                List.of(build.number(1)),
                List.of(new Requirement.AtMost(HEAP_MIB))));
    }

    // --- full subnets

    private static void subnets(int count, String name, List<Figure> all) {
        ProgramNumbers subnets = numbers(
                "own manager, directed routes",
                name,
                OwnProcess.program(
                                FullSubnet.class,
                                Integer.toString(TREE_PORTS),
                                Integer.toString(count),
                                Integer.toString(PAIRS))
                        .within(SUBNET_LIMIT_SECONDS),
                null);
        List<Figure> own = new ArrayList<>();
        own.add(told(name + ": build", "s", subnets.number(0), false));
        own.add(told(name + ": sweep, real time", "s", subnets.number(1), false));
        own.add(told(name + ": sweep, virtual time", "s", subnets.number(2), false));
        own.add(told(name + ": datagrams of the sweep", "", subnets.number(3), false));
        own.add(new Figure(
                NAME + name + ": local identifiers",
                "",
                List.of(subnets.number(4)),
                List.of(new Requirement.AtLeast(count * identifiers()))));
        own.add(told(name + ": heap", "MiB", subnets.number(5), false));
        own.add(new Figure(
                NAME + name + ": packets between " + PAIRS + " pairs that arrive",
                "%",
                List.of(subnets.number(6)),
                List.of(new Requirement.AtLeast(100))));
        own.stream().map(figure -> figure.inRounds(1)).forEach(all::add);
    }

    /** Four of each host, one of each switch. */
    private static double identifiers() {
        int square = TREE_PORTS * TREE_PORTS;
        return square * TREE_PORTS / 4 * (1 << FullSubnet.LMC) + 5.0 * square / 4;
    }

    // --- OpenSM

    private static void sweep(int hosts, List<Figure> all) {
        String missing = OpenSm.missing();
        ProgramNumbers ours = sweep(OpenSmSweep.OURS, "our server", hosts, missing);
        ProgramNumbers ibsim = sweep(OpenSmSweep.IBSIM, "ibsim", hosts, missing);
        String name = String.format(Locale.ROOT, "%ssweep of OpenSM, minhop, %,d hosts: ", NAME, hosts);
        all.add(sweep(name + "first sweep of a process", ours, ibsim, 0));
        all.add(sweep(name + "third sweep of a process, new fabric", ours, ibsim, 1));
    }

    private static ProgramNumbers sweep(String server, String name, int hosts, @Nullable String missing) {
        return numbers(
                name,
                "sweep",
                OwnProcess.program(OpenSmSweep.class, server, Integer.toString(hosts))
                        .within(SWEEP_LIMIT_SECONDS),
                missing);
    }

    private static Figure sweep(String name, ProgramNumbers ours, ProgramNumbers ibsim, int index) {
        return new Figure(
                        name,
                        "s",
                        List.of(ours.number(index)),
                        List.of(new Requirement.AtMostPeer(ibsim.number(index))))
                .inRounds(SWEEP_ROUNDS)
                .ofBetterHalves();
    }
}
