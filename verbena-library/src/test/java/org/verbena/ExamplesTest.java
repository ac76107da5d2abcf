package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs in {@code examples} run as their page says, and find their data right. Each throws if a byte is wrong. */
final class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final Set<String> TESTED =
            Set.of("Atomics", "FileCopier", "KeyValueCache", "RequestResponse", "SharedReceives");

    @TempDir
    private Path directory;

    @BeforeAll
    static void findExamples() {
        assumeTrue(Files.exists(EXAMPLES), "no examples beside the module: not in a checkout");
    }

    @ParameterizedTest
    @CsvSource({
        "Atomics, '400 tickets, no number twice; balance 400 after'",
        "FileCopier, '33,554,432 bytes copied, both files are equal'",
        "KeyValueCache, '10,000 values read, all right'",
        "RequestResponse, '4,000 answers to 200 virtual threads, all right'",
        "SharedReceives, '12,800 messages of 64 connections in 256 buffers, each in order'"
    })
    void exampleRunsAndFindsItsDataRight(String name, String result) throws IOException, InterruptedException {
        ChildJvm run = ChildJvm.run(
                        directory,
                        "java",
                        List.of(
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--illegal-native-access=deny",
                                "--enable-native-access=org.verbena",
                                "--module-path",
                                ChildJvm.library().toString(),
                                "--add-modules",
                                "org.verbena",
                                EXAMPLES.resolve(name + ".java").toString()))
                .assertQuietSuccess();
        assertTrue(run.output().startsWith(result), () -> "\"" + result + "\" expected; found " + run.output());
    }

    @Test
    void everyExampleIsTestedAndOnThePage() throws IOException {
        String page = Files.readString(EXAMPLES.resolve("README.md"));
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            Set<String> found = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(new TreeSet<>(TESTED), found);
            found.forEach(name -> assertTrue(page.contains("(" + name + ".java)"), name));
        }
    }
}
