package org.verbena.memory.registration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.TestClasses;

/**
 * Page locks and memory of a process as Linux counts them. {@code -Dverbena.registration.cycles=1000000} has a million allocate–register–free cycles, of some
 * minutes.
 */
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RealMemoryTest {
    private static final int CYCLES = Integer.getInteger("verbena.registration.cycles", 30_000);
    private static final long LIMIT = 64 << 10;
    private static final long MIB = 1 << 20;

    private static boolean has(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program));
    }

    /** Root may lock more than the limit, unless it gives up the right to do so. */
    private static List<String> limited() {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name", "").equals("root")) {
            assumeTrue(has("setpriv"), "the limit of locked memory does not hold for root, and there is no setpriv");
            command.addAll(List.of("/usr/bin/setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"));
        }
        command.addAll(List.of("/usr/bin/prlimit", "--memlock=" + LIMIT + ":" + LIMIT));
        return command;
    }

    private static String run(List<String> before, String... arguments) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "this system has no /proc/self/status");
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-ea", "-Xmx48m", "-Xms48m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
        command.add("-XX:TieredStopAtLevel=1"); // the other compiler takes and gives back tens of megabytes
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", TestClasses.path()));
        command.add(RealMemory.class.getName());
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(child.waitFor(14, TimeUnit.MINUTES), said);
        assertEquals(0, child.exitValue(), said);
        return said;
    }

    /** The numbers after a name, in the order in which they were printed. */
    private static List<Long> numbers(String said, String name) {
        return said.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> Long.valueOf(line.substring(name.length() + 2)))
                .toList();
    }

    @Test
    void pinsKeepTheLimitOfTheSystemAndWhatIsCountedIsLocked() throws IOException, InterruptedException {
        assumeTrue(has("prlimit"), "there is no prlimit");
        String said = run(limited(), "pins");
        assertEquals(List.of(0L), numbers(said, "locked before"), said);
        assertEquals(List.of(LIMIT), numbers(said, "limit"), said);
        assertEquals(List.of(LIMIT), numbers(said, "pinned"), said);
        assertEquals(List.of(LIMIT), numbers(said, "locked"), said);
        assertEquals(List.of(48L), numbers(said, "refusals"), said);
        assertEquals(List.of(1L), numbers(said, "messages"), said);
        assertTrue(said.contains("Limit " + LIMIT + " bytes (RLIMIT_MEMLOCK)"), said);
        assertTrue(said.contains("(error 12)"), said);
        assertEquals(List.of(0L), numbers(said, "locked after"), said);
    }

    @Test
    void buffersThatAreRegisteredAndFreedLeaveMemoryFlat() throws IOException, InterruptedException {
        String said = run(List.of(), "cycles", "" + CYCLES);
        List<Long> resident = numbers(said, "resident");
        // A page that is kept of each cycle would be 90 MiB of 30,000.
        assertTrue(resident.getLast() - resident.getFirst() < 16 * MIB, said);
        List<Long> mappings = numbers(said, "mappings");
        assertTrue(mappings.getLast() - mappings.getFirst() < 100, said);
        assertTrue(numbers(said, "entries most").getFirst() <= 16, said);
        assertEquals(List.of(0L), numbers(said, "entries"), said);
        assertEquals(List.of(0L), numbers(said, "locked"), said);
        assertEquals(List.of((long) CYCLES), numbers(said, "stale"), said);
    }
}
