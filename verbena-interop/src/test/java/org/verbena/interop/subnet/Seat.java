package org.verbena.interop.subnet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a tool is attached, and where it leaves its files.
 *
 * @param port control port of the server
 * @param node name of the node; empty: the server's first
 * @param folder made if it is not there
 */
record Seat(int port, String node, Path folder) {
    Seat at(String other) {
        return new Seat(port, other, folder);
    }

    Seat in(String name) {
        return new Seat(port, node, folder.resolve(name));
    }

    /** Starts a tool; {@code name} is the name of the file with its output. */
    RunningTool start(String name, Map<String, String> variables, String... command) throws IOException {
        Files.createDirectories(folder);
        List<String> words = new ArrayList<>(List.of(command));
        words.set(0, SubnetTools.path(command[0]));
        Path output = folder.resolve(name + ".txt");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(output.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("LD_PRELOAD", SubnetTools.library().orElseThrow().toString());
        environment.put("IBSIM_SERVER_NAME", "127.0.0.1");
        environment.put("IBSIM_SERVER_PORT", Integer.toString(port));
        environment.put("OSM_TMP_DIR", folder + "/");
        environment.put("OSM_CACHE_DIR", folder + "/");
        environment.put("SIM_HOST", node);
        environment.putAll(variables);
        return new RunningTool(String.join(" ", command), builder.start(), output);
    }

    /** Runs a tool to its end. */
    FinishedTool run(String name, String... command) throws IOException, InterruptedException {
        try (RunningTool tool = start(name, Map.of(), command)) {
            return tool.end();
        }
    }
}
