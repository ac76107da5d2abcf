package org.verbena.tools.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.tools.CommandRun;
import org.verbena.tools.Tshark;

/** More memory than there is, over UDP and a real file. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
final class MemoryCommandTest {
    static Stream<Arguments> everyOperationEveryPattern() {
        return Stream.of(MemoryOperation.values())
                .flatMap(operation ->
                        Stream.of(AccessPattern.values()).map(pattern -> Arguments.of(operation, pattern)));
    }

    @ParameterizedTest
    @MethodSource("everyOperationEveryPattern")
    void everyByteIsRight(MemoryOperation operation, AccessPattern pattern) {
        Map<String, String> report =
                right("--memory 2MiB --iters 300 --operation " + operation + " --pattern " + pattern);
        assertEquals("300", report.get("operations"));
        assertEquals(report.get("places"), report.get("read_back"));
        assertEquals("0", report.get("target.rnr_resumed_by_ack_timeout"));
        assertTrue(number(report, "paging.evictions") > 0, report::toString);
    }

    @ParameterizedTest
    @CsvSource({"8, atomic", "64, mix", "4096, write", "5000, read", "65536, mix"})
    void everySizeWorks(int size, String operation) {
        right("--memory 2MiB --iters 200 --policy clock --queue-pairs 2 --depth 4 --size " + size + " --operation "
                + operation);
    }

    @Test
    void guestsAreOvercommittedAtBothStages() {
        Map<String, String> report = right("--memory 2MiB --overcommit 8 --guests 2 --iters 400 --pattern uniform");
        for (int guest = 1; guest <= 2; guest++) {
            assertTrue(number(report, "domains." + guest + ".stage_one") > 0, report::toString);
            assertTrue(number(report, "domains." + guest + ".stage_two") > 0, report::toString);
            assertEquals(
                    number(report, "residency.target 1.pages"), number(report, "residency.target " + guest + ".pages"));
        }
        assertEquals(report.get("places"), report.get("read_back"));
    }

    @Test
    void lostPacketsLoseNoBytes() {
        Map<String, String> report = right("--memory 2MiB --iters 200 --loss 2");
        assertTrue(number(report, "initiator.resent_pkts") > 0, report::toString);
    }

    @Test
    void faultsOfColdPagesAreCountedByKind() {
        Map<String, String> report = right("--memory 2MiB --overcommit 8 --iters 400 --pattern uniform");
        long kinds = 0;
        for (String kind : List.of("send", "write", "atomic", "read_response", "gather", "landing")) {
            kinds += number(report, "target.page_fault_" + kind) + number(report, "initiator.page_fault_" + kind);
        }
        assertTrue(kinds > 0, report::toString);
        assertEquals(kinds, number(report, "faults"));
        assertTrue(
                number(report, "paging.pages_in") > 0 && number(report, "store.reads.transfers") > 0, report::toString);
    }

    @Test
    void residencyAccountsForEveryPage() {
        Map<String, String> report = right("--memory 2MiB --iters 100");
        long pages = 0;
        for (String end : List.of("target", "initiator")) {
            String name = "residency." + end + ".";
            long sum = Stream.of("zero", "absent", "loading", "present", "dirty", "pinned", "lost")
                    .mapToLong(state -> number(report, name + state))
                    .sum();
            assertEquals(number(report, name + "pages"), sum);
            pages += sum;
        }
        assertEquals(number(report, "registered"), 4096 * pages);
    }

    @Test
    void peopleSeeCountersAndAMap() {
        CommandRun run = memory("--memory 2MiB --iters 100");
        assertEquals(0, run.exitCode(), run::toString);
        assertTrue(run.out().startsWith("mix, zipf: 8 MiB registered in 2 MiB of machine memory"), run::out);
        for (String part : List.of(
                "faults", "by ACK timeout 0", "sent_pkts", "pages_in", "p99_us", "frames_free", "errors      0")) {
            assertTrue(run.out().contains(part), run::out);
        }
        assertTrue(run.out().lines().anyMatch(line -> line.matches("  [_.:o#P!]{78}")), run::out);
        assertEquals("", run.err(), "no live figures without a terminal");
    }

    @Test
    void theStoreIsWhereItIsWantedAndLeavesNothing(@TempDir Path directory) throws IOException {
        CommandRun named = memory("--memory 2MiB --iters 10 --store " + directory.resolve("pages"));
        assertTrue(named.out().contains(directory.resolve("pages").toString()), named::toString);
        CommandRun unnamed = memory("--memory 2MiB --iters 10 --store " + directory);
        assertEquals(0, named.exitCode() + unnamed.exitCode(), unnamed::toString);
        try (var left = Files.list(directory)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void aStoreThatCannotBeIsOneLine(@TempDir Path directory) {
        CommandRun run = memory("--memory 2MiB --store " + directory.resolve("no/such"));
        assertEquals(1, run.exitCode());
        assertEquals(1, run.err().lines().count(), run::err);
        assertTrue(run.err().contains("no directory"), run::err);
    }

    @Test
    void wiresharkDecodesTheCapture(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed");
        Path file = directory.resolve("memory.pcapng");
        right("--memory 2MiB --iters 50 --capture " + file);
        Tshark.requireGood(file, 50);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--memory 1K | --memory 1024 found, 1048576 to",
                "--memory lots | 'lots' is not a size",
                "--overcommit 0.5 | --overcommit 0.5 found, 1 to 64 expected",
                "--size 4 | --size 4 found, 8 to",
                "--memory 1M --size 1M | --size 1048576 found, 8 to 65536 expected",
                "--queue-pairs 0 | --queue-pairs 0 found, 1 to 256 expected",
                "--depth 1000 | --depth 1000 found, 1 to 128 expected",
                "--memory 1M --queue-pairs 200 | keep pages busy",
                "--guests 65 | --guests 65 found, 0 to 64 expected",
                "--memory 2M --guests 64 | --guests leaves each physical memory of",
                "--pattern random | expected one of [UNIFORM, ZIPF, SCAN]",
                "--policy lru | expected one of [CLOCK, S3_FIFO, s3-fifo]",
                "--operation fly | expected one of [WRITE, READ, SEND, ATOMIC, MIX]",
                "--seconds 1 --iters 1 | --seconds and --iters found, one of them expected",
                "--seconds 0 | --seconds 0.0 found",
                "--iters 0 | --iters 0 found, 1 to",
                "--loss 100 | --loss 100.0 found"
            })
    void badOptionsAreNamed(String options, String expected) {
        CommandRun run = memory(options);
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.err().contains(expected), run::err);
        assertEquals("", run.out());
    }

    private static long number(Map<String, String> report, String path) {
        String value = report.get(path);
        if (value == null) {
            throw new AssertionError("no " + path + " in " + report);
        }
        return Long.parseLong(value);
    }

    private static Map<String, String> right(String options) {
        CommandRun run = memory(options + " --json");
        assertEquals(0, run.exitCode(), run::toString);
        assertEquals("", run.err());
        assertEquals(1, run.out().lines().count());
        Map<String, String> report = Json.parse(run.out());
        assertEquals("0", report.get("errors"));
        return report;
    }

    private static CommandRun memory(String options) {
        return CommandRun.of(("memory " + options).split(" +"));
    }
}
