package org.verbena.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine that was measured, without its name.
 *
 * @param processor its model, as it calls itself
 * @param cores that this process may use
 * @param system name and version of the kernel
 * @param java the virtual machine
 */
public record Machine(String processor, int cores, String system, String java) {
    /** The machine that runs this process. */
    public static Machine here() {
        return new Machine(
                processorModel(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    }

    private static String processorModel() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
