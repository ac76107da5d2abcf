package org.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V"})
    void versionIsPrintedOnStandardOutput(String argument) {
        assertEquals(0, run(argument));
        assertAll(
                () -> assertTrue(out.toString().startsWith("verbena " + Version.number()), out::toString),
                () -> assertTrue(out.toString().contains("java " + Runtime.version()), out::toString),
                () -> assertEquals("", err.toString()));
    }

    @Test
    void versionNumberWasFilledInByTheBuild() {
        assertTrue(Version.number().matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?"), Version::number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"help", "--help", "-h"})
    void helpGoesToStandardOutputAndListsTheCommands(String argument) {
        assertEquals(0, run(argument));
        assertAll(
                () -> assertTrue(out.toString().startsWith("Usage: verbena"), out::toString),
                () -> assertTrue(out.toString().contains("  version "), out::toString),
                () -> assertTrue(out.toString().contains("  test "), out::toString),
                () -> assertEquals("", err.toString()));
    }

    @Test
    void helpOfACommandIsReachedBothWays() {
        assertEquals(0, run("help", "version"));
        String first = out.toString();
        out.getBuffer().setLength(0);
        assertEquals(0, run("version", "--help"));
        assertEquals(first, out.toString());
        assertTrue(first.startsWith("Usage: verbena version"), first);
    }

    @Test
    void everyCommandOfTheTreeExplainsItself() {
        for (CommandLine command :
                new CommandLine(new VerbenaCommand()).getSubcommands().values()) {
            String name = command.getCommandName();
            assertTrue(command.getCommandSpec().usageMessage().description().length > 0, name);
            assertEquals(0, run(name, "--help"), name);
        }
    }

    @Test
    void noCommandIsMisuse() {
        assertEquals(2, run());
        assertMisuse(
                "verbena: No command given",
                "Expected: demo, perf, memory, registrations, pingpong, rping, lan, fabric, devinfo, version, help",
                "Try 'verbena --help'.");
    }

    @Test
    void unknownCommandIsNamedAndTheKnownOnesAreListed() {
        assertEquals(2, run("versoin"));
        assertMisuse(
                "'versoin'",
                "Expected: demo, perf, memory, registrations, pingpong, rping, lan, fabric, devinfo, version, help",
                "--help",
                "Try 'verbena --help'.");
    }

    @Test
    void unknownOptionIsNamedAndTheKnownOnesAreListed() {
        assertEquals(2, run("version", "--frobnicate"));
        assertMisuse("Unknown option: '--frobnicate'", "Expected: --help, --version", "Try 'verbena version --help'.");
    }

    @Test
    void helpForAnUnknownCommandIsMisuse() {
        assertEquals(2, run("help", "nothing"));
        assertMisuse("'nothing'");
    }

    @Test
    void valueOfTheWrongTypeSaysWhatWasFoundAndWhatWasExpected() {
        assertEquals(2, runOther(new Sized(), "--size", "many"));
        assertMisuse("'--size'", "'many' is not an int");
    }

    @Test
    void optionGivenTwiceIsMisuse() {
        assertEquals(2, runOther(new Sized(), "--size", "1", "--size", "2"));
        assertMisuse("'--size'");
    }

    @Test
    void troubleWithAFileIsOneLine() {
        assertEquals(1, runOther(new Failing(new NoSuchFileException("here.pcap"))));
        assertEquals("failing: NoSuchFileException: here.pcap" + System.lineSeparator(), err.toString());
    }

    @Test
    void ourOwnBugKeepsItsStackTrace() {
        assertEquals(1, runOther(new Failing(new IllegalStateException("count is -1"))));
        assertTrue(err.toString().startsWith("failing: IllegalStateException: count is -1"), err::toString);
        assertTrue(err.toString().contains("at org.verbena.tools"), err::toString);
    }

    private int run(String... arguments) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    private int runOther(Object root, String... arguments) {
        return Main.commandLine(root)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private void assertMisuse(String... parts) {
        assertEquals("", out.toString());
        for (String part : parts) {
            assertTrue(err.toString().contains(part), () -> "expected \"" + part + "\" in: " + err);
        }
        assertFalse(err.toString().contains("\tat "), err::toString);
    }

    @Command(name = "sized")
    private static final class Sized implements Runnable {
        @Option(names = "--size")
        private int size;

        @Override
        public void run() {
            throw new AssertionError("must not run, size " + size);
        }
    }

    @Command(name = "failing")
    private static final class Failing implements Callable<Integer> {
        private final Exception failure;

        Failing(Exception failure) {
            this.failure = failure;
        }

        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }
}
