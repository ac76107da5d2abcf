package org.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RegistrationsCommandTest {
    @Test
    void theTableIsShownWithItsCountsAndEntries() {
        CommandRun run = CommandRun.of("registrations", "-D", "1", "--arenas", "20", "--entries", "10", "--rows", "5");
        assertEquals("", run.err());
        assertEquals(0, run.exitCode());
        for (String part :
                List.of(" hits, ", " misses, ", " stale; ", "local read, local write", "adapter registrations, ")) {
            assertTrue(run.out().contains(part), run::out);
        }
        assertEquals(7, run.out().lines().count(), run::out);
    }

    @Test
    void aSizeOutOfRangeIsRefused() {
        CommandRun run = CommandRun.of("registrations", "--size", "1G");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--size must be 8 … 16777216; found 1073741824"), run::err);
    }
}
