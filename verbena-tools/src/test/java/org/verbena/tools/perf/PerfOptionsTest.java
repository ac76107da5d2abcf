package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.tools.CommandRun;

/** Wrong options end with exit code 2 before anything is opened, and name the value found and the value expected. */
final class PerfOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "perf                                      | OP",
                "perf push                                 | 'push'",
                "perf push                                 | compare-swap",
                "perf send --size many                     | 'many' is not a size",
                "perf send --size 3G                       | size 3221225472 found, 0 to 2147483648 expected",
                "perf read --bw --lat                      | --bw and --lat found, one of them expected",
                "perf read --iters 5 --seconds 5           | --seconds and --iters found, one of them expected",
                "perf read --iters 0                       | --iters 0 found, 1 to",
                "perf read --iters some                    | 'some' is not a long",
                "perf read --seconds 0                     | --seconds 0.0 found",
                "perf read --seconds NaN                   | --seconds NaN found",
                "perf read --warmup -1                     | --warmup -1.0 found",
                "perf read --depth 0                       | depth 0 found, 1 to 16384 expected",
                "perf read --depth 4 --signal 5            | signal 5 found, 1 to 4 expected",
                "perf read --mtu 1500                      | --mtu 1500 found, 256, 512, 1024, 2048 or 4096 expected",
                "perf send --inline 4096                   | inline 4096 found, 0 to 1024 expected",
                "perf fetch-add --size 16                  | size 16 found, 8 expected: fetch-add works on 8 bytes",
                "perf write --lat --size 0                 | size 0 found, at least 1 expected",
                "perf send --size 1G --verify              | memory for --size and --depth",
                "perf send --link wire                     | 'wire'",
                "perf send --run elsewhere                 | 'elsewhere'",
                "perf send --idle never                    | 'never'",
                "perf send --threads 3                     | --threads 3 found, 1 to 2 expected",
                "perf send --port 65536                    | --port 65536 found, 0 to 65535 expected",
                "perf send somewhere --loopback            | HOST 'somewhere' found together with --loopback",
                "perf send somewhere --link inprocess      | HOST 'somewhere' found together with --link inprocess",
                "perf send somewhere else                  | 'else'",
                "perf send --frobnicate                    | '--frobnicate'",
            })
    void isMisuse(String line, String part) {
        CommandRun run = CommandRun.of(line.strip().split(" +"));
        assertAll(
                () -> assertEquals(2, run.exitCode()),
                () -> assertEquals("", run.out()),
                () -> assertTrue(run.err().contains(part), run::err),
                () -> assertTrue(run.err().contains("Try 'verbena perf --help'."), run::err),
                () -> assertFalse(run.err().contains("\tat "), run::err));
    }

    @Test
    void captureThatCannotBeWrittenIsOneLine(@TempDir Path directory) {
        Path nowhere = directory.resolve("no").resolve("such.pcapng");
        CommandRun run = CommandRun.of("perf", "send", "--loopback", "--capture", nowhere.toString());
        assertEquals(1, run.exitCode());
        assertTrue(run.err().contains(nowhere.toString()), run::err);
        assertEquals(1, run.err().lines().count(), run::err);
    }

    @Test
    void helpNamesEveryOperationAndOption() {
        CommandRun run = CommandRun.of("perf", "--help");
        assertEquals(0, run.exitCode());
        for (PerfOperation operation : PerfOperation.values()) {
            assertTrue(run.out().contains(operation.toString()), run::out);
        }
        assertTrue(run.out().startsWith("Usage: verbena perf OP [HOST]"), run::out);
        assertTrue(run.out().contains("half a round trip"), run::out);
    }
}
