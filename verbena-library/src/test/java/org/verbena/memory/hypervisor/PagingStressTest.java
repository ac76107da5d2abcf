package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.TestClasses;

/** Everything at once, on real threads and a real file; no access sees bytes of another memory, and the virtual machine does not crash. */
final class PagingStressTest {
    private static final int THREADS = 4;
    /** Of each thread. A longer run by hand: {@code -Dverbena.stress.steps=…}. */
    private static final int STEPS = Integer.getInteger("verbena.stress.steps", 50_000);

    @TempDir
    Path directory;

    @Test
    void threadsSeeTheirOwnBytes() {
        PagingStress.run(directory, THREADS, STEPS, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseZGC"})
    void aVirtualMachineNeverDies(String collector) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(collector, "-Xmx256m", "-ea", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + directory.resolve("crash.log")));
        command.addAll(List.of("-cp", TestClasses.path(), PagingStress.class.getName()));
        command.addAll(List.of(directory.toString(), "" + THREADS, "" + STEPS / 5, "2"));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(child.waitFor(1, TimeUnit.MINUTES), said);
        assertEquals(0, child.exitValue(), said);
        assertTrue(said.contains("survived"), said);
    }
}
