package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramNumbersTest {
    private static ProgramNumbers numbers(String script) {
        return new ProgramNumbers("numbers", "command", Program.of("sh", "-c", script), null);
    }

    @Test
    void allNumbersOfARoundAreOfOneRun(@TempDir Path directory) throws IOException, InterruptedException {
        Path runs = directory.resolve("runs");
        ProgramNumbers numbers = numbers("echo x >> " + runs + "; n=$(wc -l < " + runs + "); echo $n.5 2$n");
        Subject first = numbers.number(0);
        Subject second = numbers.number(1);
        assertEquals(1.5, first.measure());
        assertEquals(2.5, first.measure());
        assertEquals(21, second.measure());
        assertEquals(22, second.measure());
        assertEquals(2, Files.readAllLines(runs).size());
    }

    @Test
    void aNumberThatIsNotThereIsAFailureOfItsSubject() throws InterruptedException {
        ProgramNumbers numbers = numbers("echo 1");
        assertEquals(1, numbers.number(0).measure());
        Subject missing = numbers.number(1);
        assertTrue(String.valueOf(assertThrows(MeasurementException.class, missing::measure)
                        .getMessage())
                .contains("found 1"));
    }

    @Test
    void aRunThatFailsFailsEachOfItsNumbersAndNamesTheCommandOnly() {
        ProgramNumbers numbers = numbers("echo trouble >&2; exit 3");
        for (int i = 0; i < 2; i++) {
            Subject subject = numbers.number(i);
            String message = String.valueOf(
                    assertThrows(MeasurementException.class, subject::measure).getMessage());
            assertEquals("exit code 3 of command: trouble", message);
        }
    }
}
