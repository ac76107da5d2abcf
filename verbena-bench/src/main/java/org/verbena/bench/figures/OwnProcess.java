package org.verbena.bench.figures;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A program of this jar, run in another virtual machine with the options of this one. */
final class OwnProcess implements Subject {
    private static final Pattern MEDIAN = Pattern.compile(":p0\\.50\\s+sample\\s+([0-9.]+)");

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
        return number("two adapters, connected, idle", "idle", IdleAdapters.class);
    }

    /** Millions of unreliable datagrams a second, with a given number on their way at once. */
    static OwnProcess datagrams(String name, int size, int depth, int seconds) {
        return number(name, "UD 64 B", DatagramRate.class, "" + size, "" + depth, "" + seconds);
    }

    /** A cost of the registration table. */
    static OwnProcess registrations(String name, Class<?> program, String... arguments) {
        return number(name, "registration table", program, arguments);
    }

    /**
     * A cost of iWARP.
     *
     * @param only selects its figures, with others perhaps
     */
    static OwnProcess streams(String name, String only, Class<?> program, String... arguments) {
        List<String> all = new ArrayList<>(ProcessMemory.OPTIONS);
        all.add(program.getName());
        all.addAll(List.of(arguments));
        return new OwnProcess(
                name,
                "./verbena bench figures --only '" + IwarpFigures.NAME + ".*" + only + "'",
                all,
                output -> Double.parseDouble(output.strip()));
    }

    /** Connections a second through the connection manager, made by a given number of threads. */
    static OwnProcess connections(int threads, int seconds) {
        return number(threads + " threads", "connections", ConnectionRate.class, "" + threads, "" + seconds);
    }

    /** A program of this jar that prints one number; {@code only} selects its figure. */
    private static OwnProcess number(String name, String only, Class<?> program, String... arguments) {
        List<String> all = new ArrayList<>(List.of(program.getName()));
        all.addAll(List.of(arguments));
        return new OwnProcess(
                name,
                "./verbena bench figures --only '" + only + "'",
                all,
                output -> Double.parseDouble(output.strip()));
    }

    /** Aeron's rate over UDP, in millions of messages a second. Its driver needs internal packages of the JDK. */
    static OwnProcess aeron(int size, String mode, int seconds) {
        return new OwnProcess(
                "Aeron UDP, driver " + mode.toLowerCase(Locale.ROOT),
                "./verbena bench figures --only Aeron",
                List.of(
                        "--add-opens",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        AeronRate.class.getName(),
                        Integer.toString(size),
                        mode,
                        Integer.toString(seconds)),
                output -> Double.parseDouble(output.strip()));
    }

    /** The median of a benchmark of this jar, in its own unit. A mean would include the pauses of a busy machine. */
    static OwnProcess benchmark(String name, String benchmark) {
        List<String> options = List.of("-bm", "sample", "-f", "0", "-wi", "3", "-i", "3", "-foe", "true");
        List<String> arguments = new ArrayList<>(List.of("org.openjdk.jmh.Main", benchmark));
        arguments.addAll(options);
        return new OwnProcess(name, "./verbena bench " + benchmark + " -bm sample", arguments, OwnProcess::medianOf);
    }

    /** The median in a table of JMH. */
    static double medianOf(String output) {
        Matcher median = MEDIAN.matcher(output);
        if (!median.find()) {
            throw new MeasurementException("no median in: " + Program.Running.shortened(output));
        }
        return Double.parseDouble(median.group(1));
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
        return value.applyAsDouble(program(arguments).output());
    }

    /** A class of this jar with a {@code main}, to be run in a virtual machine with the options of this one. */
    static Program program(Class<?> main, String... arguments) {
        List<String> all = new ArrayList<>(List.of(main.getName()));
        all.addAll(List.of(arguments));
        return program(all);
    }

    /** The same with more options of the virtual machine. */
    static Program program(List<String> options, Class<?> main, String... arguments) {
        List<String> all = new ArrayList<>(options);
        all.add(main.getName());
        all.addAll(List.of(arguments));
        return program(all);
    }

    private static Program program(List<String> mainAndArguments) {
        List<String> all = new ArrayList<>(List.of(java()));
        all.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        all.add("-cp");
        all.add(System.getProperty("java.class.path"));
        all.addAll(mainAndArguments);
        return Program.of(all.toArray(String[]::new));
    }

    /** The program of this virtual machine. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
