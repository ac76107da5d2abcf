package org.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RegistrationsCommandTest {
    @Test
    void theTableIsShownWithItsCountsAndEntries() {
        CommandRun run = CommandRun.of("registrations", "-D", "1", "--arenas", "20", "--entries", "10", "--rows", "5");
        assertEquals("", run.err());
        assertEquals(0, run.exitCode());
        List<String> lines = run.out().lines().toList();
        assertEquals(8, lines.size(), run::out);
        assertTrue(
                lines.get(0).matches("[\\d,]+ hits, [\\d,]+ misses, [\\d,]+ merges, [\\d,]+ evictions, [\\d,]+ stale"),
                run::out);
        assertTrue(lines.get(1).matches("adapter registrations: \\d+ of 10 entries, .* pinned, limit .*"), run::out);
        assertTrue(
                lines.get(2).matches("address +length +rights +status +pinned +uses +busy +age +idle +owner"),
                run::out);
        for (String row : lines.subList(3, 8)) {
            assertTrue(
                    row.matches(
                            "0x[0-9a-f]+ +\\d+ KiB r w +[a-z]+ +(yes|no) +[\\d,]+ +\\d+ +[\\d.]+ m?s +[\\d.]+ m?s main"),
                    row);
        }
    }

    @Test
    void theLoadMergesEvictsAndMeetsDeadArenas() {
        CommandRun run = CommandRun.of("registrations", "-D", "1", "--arenas", "20", "--entries", "10", "--rows", "0");
        for (String kind : List.of("hits", "misses", "merges", "evictions", "stale")) {
            assertFalse(run.out().matches("(?s)(.* |)0 " + kind + "\\b.*"), run::out);
        }
    }

    @Test
    void theTableFitsATerminalOfEightyColumns() {
        CommandRun run = CommandRun.of("registrations", "-D", "1");
        assertEquals(
                List.of(), run.out().lines().filter(line -> line.length() > 80).toList());
    }

    @Test
    void aSizeOutOfRangeIsRefused() {
        CommandRun run = CommandRun.of("registrations", "--size", "1G");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--size must be 8 … 16777216; found 1073741824"), run::err);
    }
}
