package org.verbena.tools.perf;

import org.jspecify.annotations.Nullable;
import org.verbena.tools.console.Figures;

/** The progress of a measurement, to be shown. The measuring thread writes it, any thread reads it. */
public final class Progress {
    private record Phase(String name, PerfPlan plan, Tally tally) {}

    private volatile @Nullable Phase phase;

    /** Nothing has begun. */
    public Progress() {}

    void onPhase(String name, PerfPlan plan, Tally tally) {
        phase = new Phase(name, plan, tally);
    }

    /** One line that says how far it is and how fast. */
    public String line() {
        Phase now = phase;
        if (now == null) {
            return "connecting";
        }
        long beganNs = now.tally.beganNs();
        double seconds = beganNs == 0 ? 0 : (System.nanoTime() - beganNs) / 1e9;
        long messages = now.tally.messages();
        return Figures.format(
                        "%s %s, %s: %.1f s, %,d messages",
                        now.plan.operation(), now.plan.mode(), now.name, seconds, messages)
                + (messages == 0 ? "" : ", " + speed(now.plan, messages / seconds));
    }

    private static String speed(PerfPlan plan, double messagesPerSecond) {
        return plan.isLatency()
                ? Figures.format("%.2f µs half a round trip", 0.5e6 / messagesPerSecond)
                : plan.size() < 1024
                        ? Figures.rate(messagesPerSecond)
                        : Figures.bandwidth(messagesPerSecond * plan.size());
    }
}
