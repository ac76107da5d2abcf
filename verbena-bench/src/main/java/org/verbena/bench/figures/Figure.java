package org.verbena.bench.figures;

import java.util.List;
import java.util.stream.Stream;

/**
 * One promised figure: the measurements, their unit and the requirements.
 *
 * @param name in the table
 * @param unit of all its values
 * @param ours one or several measurements of Verbena; the best one counts
 * @param targets all of them must be reached
 * @param runs if more than 0, ours is measured as often as this, and has to reach the targets each time; if 0, once in each round,
 *     and the median counts
 * @param rounds if more than 0, the rounds of this figure, however many others have
 * @param betterHalves whether of each subject only the better half of its values has a median
 */
record Figure(
        String name,
        String unit,
        List<Subject> ours,
        List<Requirement> targets,
        int runs,
        int rounds,
        boolean betterHalves) {
    Figure {
        ours = List.copyOf(ours);
        targets = List.copyOf(targets);
    }

    /** A figure whose median counts. */
    Figure(String name, String unit, List<Subject> ours, List<Requirement> targets) {
        this(name, unit, ours, targets, 0, 0, false);
    }

    /** The same with a number of runs that all have to reach the targets. */
    Figure inEachOf(int count) {
        return new Figure(name, unit, ours, targets, count, rounds, betterHalves);
    }

    /** The same with a number of rounds of its own. */
    Figure inRounds(int count) {
        return new Figure(name, unit, ours, targets, runs, count, betterHalves);
    }

    /** The same with medians of the better halves: for programs that have a fast and a slow mode on one machine. */
    Figure ofBetterHalves() {
        return new Figure(name, unit, ours, targets, runs, rounds, true);
    }

    /** All subjects that take turns, each once: Verbena, then the peers. */
    Stream<Subject> subjects() {
        return Stream.concat(ours.stream(), peers()).distinct();
    }

    private Stream<Subject> peers() {
        return targets.stream().<Subject>mapMulti((target, peers) -> {
            switch (target) {
                case Requirement.AtMostPeer(double _, Subject peer) -> peers.accept(peer);
                case Requirement.AtLeastPeer(double _, Subject peer) -> peers.accept(peer);
                case Requirement.Beside(Subject peer, boolean _) -> peers.accept(peer);
                case Requirement.AtMost _, Requirement.AtLeast _, Requirement.Nothing _, Requirement.Told _ -> {}
            }
        });
    }

    boolean largerIsBetter() {
        return targets.getFirst().largerIsBetter();
    }
}
