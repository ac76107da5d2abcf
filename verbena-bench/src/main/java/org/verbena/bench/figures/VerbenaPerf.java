package org.verbena.bench.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** {@code verbena perf … --json} of this checkout. */
final class VerbenaPerf implements Subject {
    private final Path launcher;
    private final String name;
    private final List<String> arguments;
    private final ToDoubleFunction<String> value;

    private VerbenaPerf(Path launcher, String name, List<String> arguments, ToDoubleFunction<String> value) {
        this.launcher = launcher;
        this.name = name;
        this.arguments = arguments;
        this.value = value;
    }

    /** Millions of bytes a second. */
    static VerbenaPerf bandwidth(Path launcher, String name, List<String> arguments) {
        return new VerbenaPerf(launcher, name, arguments, VerbenaPerf::bandwidth);
    }

    /** Median of half a round trip, in microseconds. */
    static VerbenaPerf latency(Path launcher, String name, List<String> arguments) {
        return new VerbenaPerf(launcher, name, arguments, json -> Json.number(json, "latency_us", "p50"));
    }

    /** Millions of messages a second. */
    static VerbenaPerf rate(Path launcher, String name, List<String> arguments) {
        return new VerbenaPerf(launcher, name, arguments, json -> Json.number(json, "messages_per_second") / 1e6);
    }

    /** Ping-pong: millions of messages a second, both directions counted, over the whole time. */
    static VerbenaPerf pingpongRate(Path launcher, String name, List<String> arguments) {
        return new VerbenaPerf(launcher, name, arguments, VerbenaPerf::pingpongRate);
    }

    /** Ping-pong: millions of bytes a second, both directions counted, over the whole time. */
    static VerbenaPerf pingpongBandwidth(Path launcher, String name, List<String> arguments) {
        return new VerbenaPerf(launcher, name, arguments, json -> pingpongRate(json) * Json.number(json, "size"));
    }

    /** A latency test counts round trips. */
    static double pingpongRate(String json) {
        return 2 * Json.number(json, "messages") / Json.number(json, "seconds") / 1e6;
    }

    /** Bytes that both ends allocate for one message. */
    static VerbenaPerf allocation(Path launcher, String name, List<String> arguments) {
        return new VerbenaPerf(launcher, name, arguments, json -> Json.number(json, "allocated_bytes_per_message"));
    }

    /** Computed from the counts, so that the unit is certain. */
    static double bandwidth(String json) {
        return Json.number(json, "messages") * Json.number(json, "size") / Json.number(json, "seconds") / 1e6;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String command() {
        return "./verbena perf " + String.join(" ", arguments);
    }

    @Override
    public @Nullable String missing() {
        return null;
    }

    @Override
    public double measure() throws InterruptedException {
        List<String> all = new ArrayList<>(List.of(launcher.toString(), "perf"));
        all.addAll(arguments);
        all.add("--json");
        String json = Program.of(all.toArray(String[]::new)).output();
        if (Json.number(json, "errors") != 0) {
            throw new MeasurementException("errors: " + json.strip());
        }
        return value.applyAsDouble(json);
    }
}
