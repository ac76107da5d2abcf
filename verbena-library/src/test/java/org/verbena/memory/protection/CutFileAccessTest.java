package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.ChildJvm;
import org.verbena.TestClasses;

/**
 * An access to a mapped file that was cut counts itself out, however the JVM runs the code. With everything compiled at once the JVM
 * reports the fault later than with other options.
 */
final class CutFileAccessTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"-Xmixed", "-Xint", "-Xcomp"})
    void eachAccessToACutFileFailsAndIsCountedOut(String option) throws IOException, InterruptedException {
        ChildJvm run = ChildJvm.run(
                directory,
                "java",
                List.of(
                        option,
                        "-cp",
                        TestClasses.path(),
                        CutFileProgram.class.getName(),
                        directory.resolve("mapped").toString()));
        String after = ": InternalError, inside 0\n";
        String each =
                "place" + after + "gather" + after + "fetchAdd" + after + "compareSwap" + after + "atomicWrite" + after;
        assertEquals(
                each.repeat(2), run.assertQuietSuccess().output(), "a plain region, and one over several segments");
    }
}
