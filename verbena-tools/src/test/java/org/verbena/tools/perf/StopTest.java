package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.link.Link;
import org.verbena.services.lan.UnitDriver;
import org.verbena.tools.Main;
import org.verbena.tools.console.StopSign;
import picocli.CommandLine;

/** A measurement that is stopped early reports its figures so far. */
@Timeout(60)
final class StopTest {
    @Test
    void whatWasMeasuredSoFarIsReported() throws InterruptedException {
        StopSign stop = new StopSign();
        Progress progress = new Progress();
        PerfPlan plan = PerfPlan.of(PerfOperation.SEND, PerfMode.LATENCY)
                .withExtents(WarmUp.ofSeconds(0), Extent.ofSeconds(3600));
        LoopbackRun run = new LoopbackRun(
                plan, LocalSetting.of(LinkKind.INPROCESS, PerfMode.LATENCY).withThreads(1), stop, progress);
        Thread stopper = Thread.ofPlatform().start(() -> {
            while (!progress.line().contains("half a round trip")) {
                Thread.onSpinWait();
            }
            stop.raise();
        });
        PerfReport report = run.run();
        stopper.join();
        assertTrue(report.messages() > 0);
        assertEquals(0, report.errors());
    }

    @Test
    void aProcessToldToEndPrintsItsFiguresFirst(@TempDir Path directory) throws IOException, InterruptedException {
        Path loaded = directory.resolve("loaded");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xlog:class+load:file=" + loaded,
                "-cp",
                classPath()));
        command.addAll(List.of("org.verbena.tools.Main", "perf", "send", "--lat", "--link", "inprocess", "--json"));
        command.addAll(List.of("--warmup", "0", "--seconds", "3600", "--threads", "1"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            awaitMeasurement(process, loaded);
            process.toHandle().destroy();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
            assertTrue(out.startsWith("{\"op\": \"send\"") && out.endsWith("}" + System.lineSeparator()), out);
            assertEquals(128 + 15, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns when the process has loaded the class that measures: only then it ends in order. */
    private static void awaitMeasurement(Process process, Path loaded) throws IOException, InterruptedException {
        String measures = LatencyTest.class.getName() + " ";
        while (!Files.exists(loaded)
                || !Files.readString(loaded, StandardCharsets.ISO_8859_1).contains(measures)) {
            assertTrue(process.isAlive(), "it ended before it was told to");
            Thread.sleep(10);
        }
    }

    private static String classPath() {
        return Stream.of(Main.class, Link.class, UnitDriver.class, CommandLine.class, Histogram.class)
                .map(StopTest::place)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
