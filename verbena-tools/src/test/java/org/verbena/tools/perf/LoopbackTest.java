package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.tools.CommandRun;
import org.verbena.tools.Tshark;

/** Both ends in this process, every operation, every way to run it, every byte checked. */
@Timeout(60)
final class LoopbackTest {
    private static final java.util.regex.Pattern ONE_OBJECT = java.util.regex.Pattern.compile(
            "\\{\"op\": \"[a-z-]+\", \"mode\": \"(bw|lat)\", \"link\": \"(udp|tcp|inprocess)\", \"size\": \\d+, \"messages\": \\d+,"
                    + " \"seconds\": [\\d.]+, \"mbytes_per_second\": [\\d.]+, \"messages_per_second\": [\\d.]+,"
                    + " \"latency_us\": \\{\"min\": [\\d.]+, \"p50\": [\\d.]+, \"p99\": [\\d.]+, \"p999\": [\\d.]+,"
                    + " \"max\": [\\d.]+\\}, \"allocated_bytes_per_message\": [\\d.]+, \"errors\": 0\\}\\R");

    private static final List<String> WAYS = List.of(
            "--threads 2",
            "--threads 1 --link inprocess",
            "--run shared --idle park",
            "--run inline --threads 2",
            "--run inline --threads 1 --link inprocess",
            "--run inline --idle backoff",
            "--run inline --idle park",
            "--run thread --threads 1 --idle park",
            "--run thread --threads 2 --idle backoff --link inprocess",
            "--link tcp",
            "--link tcp --no-crc --run inline --threads 1",
            "--link tcp --mpa 1 --run thread --threads 2 --idle park");

    static Stream<Arguments> everyOperationEveryWay() {
        return Stream.of(PerfOperation.values())
                .flatMap(operation -> Stream.of("--bw", "--lat")
                        .flatMap(mode -> WAYS.stream().map(way -> Arguments.of(operation + " " + mode + " " + way))));
    }

    @ParameterizedTest
    @MethodSource("everyOperationEveryWay")
    void everyByteIsRight(String options) {
        String size = options.contains("fetch-add") || options.contains("compare-swap") ? "8" : "5000";
        CommandRun run = perf(options + " --verify --iters 100 --depth 7 --size " + size);
        assertEquals(0, run.exitCode(), run::toString);
        assertTrue(ONE_OBJECT.matcher(run.out()).matches(), run::toString);
        assertTrue(run.out().contains("\"messages\": 100,"), run::toString);
        assertEquals("", run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write", "write-imm", "read", "send --lat", "write-imm --lat", "read --lat"})
    void messagesWithoutBytesWork(String options) {
        CommandRun run = perf(options + " --size 0 --iters 50 --verify");
        assertEquals(0, run.exitCode(), run::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "write", "write --lat", "send --lat", "write-imm --lat"})
    void smallMessagesGoInline(String options) {
        CommandRun run = perf(options + " --size 64 --iters 500 --inline 64");
        assertEquals(0, run.exitCode(), run::toString);
        assertTrue(run.out().contains("\"messages\": 500,"), run::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 2048, 4096})
    void everyMtuWorks(int mtu) {
        CommandRun run = perf("write --verify --iters 20 --size 10001 --mtu " + mtu);
        assertEquals(0, run.exitCode(), run::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"foreign", "wired", "paged", "paged:1MiB"})
    void everyKindOfMemoryWorks(String kind) {
        for (PerfOperation operation : PerfOperation.values()) {
            for (String mode : List.of("--bw", "--lat")) {
                CommandRun run = perf(operation + " " + mode + " --verify --iters 50 --depth 8 --memory " + kind
                        + (operation.isAtomic() ? "" : " --size 40000"));
                assertEquals(0, run.exitCode(), () -> operation + mode + run);
            }
        }
    }

    @Test
    void noSuchMemoryIsNamed() {
        CommandRun run = perf("write --memory brain");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("'brain' is no memory; expected foreign, wired, paged or paged:SIZE"), run::err);
        run = perf("write --memory paged:1K");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("1024 found, 1048576 to"), run::err);
        run = perf("write --memory paged:0");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("'paged:0' leaves no machine memory; expected paged:SIZE"), run::err);
    }

    @Test
    void messagesAreCountedToTheLastOneThoughCompletionsAreFewer() {
        CommandRun run = perf("write --iters 101 --depth 16 --signal 16 --size 100");
        assertTrue(run.out().contains("\"messages\": 101,"), run::toString);
    }

    @Test
    void secondsAreKept() {
        CommandRun run = perf("send --link inprocess --size 64 --seconds 0.2");
        String seconds = run.out().replaceFirst("(?s).*\"seconds\": ([\\d.]+).*", "$1");
        assertTrue(Double.parseDouble(seconds) >= 0.2, run::toString);
    }

    @Test
    void theReportForPeopleHasItsFigures() {
        CommandRun run = CommandRun.of("perf", "write", "--loopback", "--iters", "50", "--warmup", "0");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().startsWith("write bw, 64 KiB messages over udp"), run::out);
        for (String part : List.of("MB/s", "messages/s", "completion", "allocated", "errors      0")) {
            assertTrue(run.out().contains(part), run::out);
        }
        assertEquals("", run.err(), "no progress without a terminal");
    }

    @Test
    void packetsAreCaptured(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("write.pcapng");
        CommandRun run = perf("write --iters 10 --size 4096 --mtu 1024 --capture " + file);
        assertEquals(0, run.exitCode(), run::toString);
        assertTrue(
                Files.size(file) > 10 * 4096,
                () -> "the capture has all ten messages: " + file.toFile().length());
    }

    @Test
    void wiresharkDecodesBothDirections(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed");
        Path file = directory.resolve("send.pcapng");
        CommandRun run = perf("send --iters 10 --size 4096 --mtu 1024 --capture " + file);
        assertEquals(0, run.exitCode(), run::toString);
        Tshark.requireGood(file, 41);
    }

    private static CommandRun perf(String options) {
        return CommandRun.of(
                ("perf " + options + " --loopback --json" + (options.contains("--warmup") ? "" : " --warmup 0"))
                        .split(" +"));
    }
}
