package org.verbena.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The figures as a page of Markdown. */
final class FiguresReport {
    private final List<Figure> figures;
    private final Samples samples;
    private final Origin origin;

    FiguresReport(List<Figure> figures, Samples samples, Origin origin) {
        this.figures = figures;
        this.samples = samples;
        this.origin = origin;
    }

    /** The lines of the whole page. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        introduce(lines);
        lines.add("| figure | unit | ours | target | peer | ratio | reached |");
        lines.add("|---|---|---:|---|---:|---:|---|");
        for (Figure figure : figures) {
            for (Requirement target : figure.targets()) {
                lines.add(row(Result.of(figure, target, samples)));
            }
        }
        details(lines);
        return lines;
    }

    private void introduce(List<String> lines) {
        boolean streams = areAll(IwarpFigures.NAME);
        boolean splitDriver = areAll(SplitDriverFigures.NAME);
        boolean fabric = areAll(FabricFigures.NAME);
        lines.add(title(streams, splitDriver, fabric));
        lines.add("");
        lines.add("What Verbena reaches and what it has to reach, made by");
        lines.add("");
        lines.add("    " + origin.command());
        lines.add("");
        lines.add(origin.machineText());
        lines.add(origin.roundsText() + " in which ours and the peers take turns." + origin.otherLoadText());
        lines.add("Where we have two ways, the better one counts. Latency is half a round trip, the median of a run.");
        if (figures.stream().anyMatch(figure -> figure.name().startsWith(FirstProgram.SELECTED_BY))) {
            introduceFirstPrograms(lines);
        }
        if (streams) {
            introduceStreams(lines);
        }
        if (splitDriver) {
            SplitDriverText.introduce(lines);
        }
        if (fabric) {
            FabricText.introduce(lines);
        }
        lines.add("");
    }

    private static String title(boolean streams, boolean splitDriver, boolean fabric) {
        String part = streams ? " of iWARP" : splitDriver ? " of the split driver" : fabric ? " of the fabric" : "";
        return "# Figures" + part;
    }

    private boolean areAll(String begin) {
        return !figures.isEmpty()
                && figures.stream().allMatch(figure -> figure.name().startsWith(begin));
    }

    private static void introduceStreams(List<String> lines) {
        lines.add("");
        lines.add(
                "*Idle connections* are between two processes; each end has a queue pair with room for 8 sends and 8 receives. Its memory is what a connection adds to the live heap, and to");
        lines.add(
                "the resident memory outside the heap, of the process that needs more. Each process needs 10,500 file descriptors (`ulimit -n`). The CPU time is that of both processes with all threads");
        lines.add(
                "of their virtual machines. *Opened and closed*: a queue pair is created, connected, disconnected and closed at both ends, all in one process, for as many seconds as the command says, after the same time");
        lines.add("that is not counted. *Engine time* is that of the engine's turns, without posting and polling.");
    }

    private static void introduceFirstPrograms(List<String> lines) {
        lines.add("");
        lines.add(
                "A *first program* is written as a newcomer writes it: two or three processes, default options everywhere. The same");
        lines.add("program on plain blocking sockets takes turns with it. A program runs for "
                + FirstProgram.WARM_UP_SECONDS
                + " seconds before it counts, because the compilers of the virtual machines");
        lines.add("need the same cores at first; rows with *first seconds* count after "
                + FirstProgram.SHORT_WARM_UP_SECONDS
                + " second, and the first copy of a file is counted from its first byte.");
        lines.add(
                "CPU time is that of all processes. A busy process uses one core meanwhile where the name says so. *In each run*: the program is started anew");
        lines.add(
                "for each run, and each run has to reach the target; the median and the worst run are given. `org.verbena.bench.first` describes each.");
    }

    private String row(Result result) {
        return "| " + result.figure().name()
                + " | " + result.figure().unit()
                + " | " + ours(result)
                + " | " + target(result)
                + " | " + peer(result)
                + " | " + value(result.ratio())
                + " | " + reached(result) + " |";
    }

    private static String ours(Result result) {
        return value(result.ours()) + (isJudgedByRuns(result) ? ", worst " + value(result.worst()) : "");
    }

    private static String target(Result result) {
        return result.target().text() + (isJudgedByRuns(result) ? ", in each run" : "");
    }

    private static boolean isJudgedByRuns(Result result) {
        return result.figure().runs() > 0 && result.known() && result.target().isTarget();
    }

    private String peer(Result result) {
        return switch (result.target()) {
            case Requirement.AtMostPeer(double _, Subject peer) -> value(samples.median(result.figure(), peer));
            case Requirement.AtLeastPeer(double _, Subject peer) -> value(samples.median(result.figure(), peer));
            case Requirement.Beside(Subject peer, boolean _) -> value(samples.median(result.figure(), peer));
            case Requirement.AtMost _, Requirement.AtLeast _, Requirement.Nothing _, Requirement.Told _ -> "";
        };
    }

    private static String reached(Result result) {
        if (!result.known()) {
            return "not measured";
        }
        if (!result.target().isTarget()) {
            return "";
        }
        String verdict = result.reached() ? "yes" : "**no**";
        return isJudgedByRuns(result) ? verdict + ", " + result.runsThatMeet() + " of " + result.runs() : verdict;
    }

    private void details(List<String> lines) {
        lines.add("");
        lines.add("## Every measurement");
        lines.add("");
        lines.add("| figure | who | unit | median | least … most | n | command |");
        lines.add("|---|---|---|---:|---:|---:|---|");
        for (Figure figure : figures) {
            figure.subjects().map(subject -> detail(figure, subject)).forEach(lines::add);
        }
    }

    private String detail(Figure figure, Subject subject) {
        return "| " + figure.name()
                + " | " + subject.name()
                + " | " + figure.unit()
                + " | "
                + (samples.count(subject) == 0 ? samples.failure(subject) : value(samples.median(figure, subject)))
                + " | " + (samples.count(subject) == 0 ? "" : range(subject))
                + " | " + samples.count(subject)
                + " | `" + subject.command() + "` |";
    }

    private String range(Subject subject) {
        return value(samples.least(subject)) + " … " + value(samples.most(subject));
    }

    private static String value(OptionalDouble value) {
        return value.isPresent() ? value(value.getAsDouble()) : "";
    }

    /** With three significant digits. */
    static String value(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
