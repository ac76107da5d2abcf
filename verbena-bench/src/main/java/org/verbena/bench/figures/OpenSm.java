package org.verbena.bench.figures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** OpenSM and ibsim, where they are installed. */
final class OpenSm {
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin");
    private static final List<String> LIBRARIES = List.of("/usr/lib", "/usr/lib64");
    private static final String LIBRARY = "umad2sim/libumad2sim.so";
    private static final String LOG = "osm.log";
    private static final int PATIENCE_SECONDS = 80;
    private static final Pattern TIME = Pattern.compile("^\\w+ \\d+ (\\d+):(\\d+):(\\d+) (\\d+) ");
    private static final int DAY_SECONDS = 24 * 3600;

    private OpenSm() {}

    /** Why there can be no sweep here; null if there can. */
    static @Nullable String missing() {
        boolean all = Files.isExecutable(find("opensm")) && Files.isExecutable(find("ibsim")) && library() != null;
        return all ? null : "OpenSM and ibsim are not installed (packages opensm, ibsim-utils)";
    }

    /** Where a program is, or would be. */
    static Path find(String program) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of(program));
    }

    /** The library that leads a tool's accesses to its device to a server. */
    private static @Nullable Path library() {
        for (String folder : LIBRARIES) {
            Path root = Path.of(folder);
            if (Files.isDirectory(root)) {
                try (Stream<Path> machines = Files.list(root)) {
                    Path found = Stream.concat(Stream.of(root), machines)
                            .map(machine -> machine.resolve(LIBRARY))
                            .filter(Files::exists)
                            .findFirst()
                            .orElse(null);
                    if (found != null) {
                        return found;
                    }
                } catch (IOException e) {
                    throw new MeasurementException("cannot list " + root + ": " + e.getMessage(), e);
                }
            }
        }
        return null;
    }

    /**
     * Lets OpenSM sweep once with the routing engine minhop.
     *
     * @param port of the server
     * @param node that OpenSM is at
     * @param folder for its files
     * @return seconds from the beginning of the sweep until the subnet is up, by OpenSM's own log
     */
    static double sweep(int port, String node, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve(LOG);
        Files.deleteIfExists(log);
        Files.deleteIfExists(folder.resolve("guid2lid"));
        ProcessBuilder builder = new ProcessBuilder(
                        find("opensm").toString(), "-o", "-d", "2", "-f", LOG, "-D", "0x43", "-R", "minhop")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(folder.resolve("opensm.out").toFile());
        builder.environment()
                .putAll(Map.of(
                        "LD_PRELOAD",
                        String.valueOf(library()),
                        "IBSIM_SERVER_NAME",
                        "127.0.0.1",
                        "IBSIM_SERVER_PORT",
                        Integer.toString(port),
                        "OSM_TMP_DIR",
                        folder + "/",
                        "OSM_CACHE_DIR",
                        folder + "/",
                        "SIM_HOST",
                        node));
        Process process = builder.start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new MeasurementException("OpenSM has not swept after " + PATIENCE_SECONDS + " s");
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        return seconds(Files.readAllLines(log, StandardCharsets.ISO_8859_1));
    }

    /** Seconds of the sweep in a log. */
    static double seconds(List<String> log) {
        for (String line : log) {
            if (line.contains(" ERR ")) {
                throw new MeasurementException("an error in the log of OpenSM: " + line);
            }
        }
        double seconds = time(log, "SUBNET UP") - time(log, "Entering DISCOVERING");
        return seconds < 0 ? seconds + DAY_SECONDS : seconds;
    }

    private static double time(List<String> log, String text) {
        for (String line : log) {
            Matcher time = TIME.matcher(line);
            if (line.contains(text) && time.find()) {
                return Integer.parseInt(time.group(1)) * 3600
                        + Integer.parseInt(time.group(2)) * 60
                        + Integer.parseInt(time.group(3))
                        + Integer.parseInt(time.group(4)) / 1e6;
            }
        }
        throw new MeasurementException("\"" + text + "\" expected in the log of OpenSM; not found");
    }
}
