package org.verbena.bench.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Something of this jar, run in a virtual machine of its own with the options of this one. */
final class OwnProcess implements Subject {
    private final String name;
    private final String command;
    private final List<String> arguments;
    private final ToDoubleFunction<String> value;

    private OwnProcess(String name, String command, List<String> arguments, ToDoubleFunction<String> value) {
        this.name = name;
        this.command = command;
        this.arguments = arguments;
        this.value = value;
    }

    /** Percent of a core that two connected adapters use when idle. */
    static OwnProcess idleAdapters() {
        return new OwnProcess(
                "two adapters, connected, idle",
                "./verbena bench figures",
                List.of(IdleAdapters.class.getName()),
                output -> Double.parseDouble(output.strip()));
    }

    /** The mean of a benchmark of ours, in its own unit. */
    static OwnProcess benchmark(String name, String benchmark) {
        List<String> arguments = List.of(
                "org.openjdk.jmh.Main",
                benchmark,
                "-f",
                "0",
                "-wi",
                "3",
                "-i",
                "3",
                "-r",
                "1",
                "-w",
                "1",
                "-foe",
                "true");
        return new OwnProcess(name, "./verbena bench " + benchmark, arguments, OwnProcess::scoreOf);
    }

    /** The score in the last line of a table of JMH's. */
    static double scoreOf(String output) {
        String last = output.strip().lines().reduce("", (_, line) -> line);
        String[] words = last.strip().split("\\s+", -1);
        try {
            // Benchmark Mode Cnt Score ± Error Units
            return Double.parseDouble(words[3]);
        } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
            throw new MeasurementException("JMH ended with a line that is not understood: " + last, e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String command() {
        return command;
    }

    @Override
    public @Nullable String missing() {
        return null;
    }

    @Override
    public double measure() throws InterruptedException {
        List<String> all = new ArrayList<>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments());
        all.add("-cp");
        all.add(System.getProperty("java.class.path"));
        all.addAll(arguments);
        return value.applyAsDouble(Program.of(all.toArray(String[]::new)).output());
    }
}
