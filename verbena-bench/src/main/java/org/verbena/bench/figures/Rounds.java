package org.verbena.bench.figures;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Measures figure after figure, each in rounds in which all its subjects take turns, so that a disturbance affects all
 * subjects alike. A figure with a number of runs has so many turns of ours; the turns of the peers, one for each round, are spread among
 * them. A figure may have a number of rounds of its own.
 */
final class Rounds {
    private final int rounds;
    private final Consumer<String> progress;
    private final Samples samples = new Samples();

    /** A number of rounds; {@code progress} gets a line before every measurement. */
    Rounds(int rounds, Consumer<String> progress) {
        this.rounds = rounds;
        this.progress = progress;
    }

    /** Measures every subject once in every round. A subject that is missing or fails does not stop the measurement. */
    Samples measure(List<Figure> figures) throws InterruptedException {
        for (Figure figure : figures) {
            progress.accept(figure.name());
            int turnsOfPeers = figure.rounds() > 0 ? figure.rounds() : rounds;
            int turns = Math.max(turnsOfPeers, figure.runs());
            for (int turn = 1; turn <= turns; turn++) {
                for (Subject subject : figure.subjects().toList()) {
                    if (figure.ours().contains(subject) || isTurnOfPeers(turn, turns, turnsOfPeers)) {
                        measure(figure, subject, turn);
                    }
                }
            }
        }
        return samples;
    }

    /** Peers have as many turns as there are rounds, the first one early. */
    private static boolean isTurnOfPeers(int turn, int turns, int turnsOfPeers) {
        return (turn - 1) * turnsOfPeers / turns != (turn - 2) * turnsOfPeers / turns || turn == 1;
    }

    private void measure(Figure figure, Subject subject, int round) throws InterruptedException {
        String missing = subject.missing();
        if (missing != null) {
            if (round == 1) {
                samples.fail(subject, missing);
                progress.accept("  skipped " + subject.name() + ": " + missing);
            }
            return;
        }
        try {
            double value = subject.measure();
            samples.add(subject, value);
            progress.accept(
                    String.format(Locale.ROOT, "  %d  %-26s %10.3f %s", round, subject.name(), value, figure.unit()));
        } catch (MeasurementException e) {
            String reason = String.valueOf(e.getMessage());
            samples.fail(subject, reason);
            progress.accept("  " + round + "  " + subject.name() + " failed: " + reason);
        }
    }
}
