package org.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DevinfoCommandTest {
    @Test
    void limitsAndUsablePortsAreShown() {
        CommandRun run = CommandRun.of("devinfo");
        assertEquals(0, run.exitCode());
        assertEquals("", run.err());
        for (String part : List.of(
                "max_qp ", "max_msg_sz        2147483648", "4 KiB, 8 KiB", "clock or s3-fifo", "127.0.0.1", "usable")) {
            assertTrue(run.out().contains(part), run::out);
        }
        assertTrue(run.out().lines().anyMatch(line -> line.matches("  max_mtu +4096")), run::out);
    }
}
