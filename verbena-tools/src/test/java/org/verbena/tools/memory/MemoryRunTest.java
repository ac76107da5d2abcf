package org.verbena.tools.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.perf.Extent;

/** Runs that do not come to their end. */
@EnabledOnOs(OS.LINUX)
final class MemoryRunTest {
    private static final long MEMORY = 2 << 20;

    @Test
    void stoppedItDoesNotClaimThatEveryByteIsRight() {
        StopSign stop = new StopSign();
        stop.raise();
        MemoryReport report = new MemoryRun(MemoryPlan.of(MEMORY), LinkSetting.PLAIN, stop, new LiveMemory()).run();
        assertEquals(0, report.errors());
        assertFalse(report.isRight());
        String text = String.join("\n", MemoryText.of(report, 80));
        assertTrue(text.contains("messages' places; the others are not checked"), text);
    }

    @Test
    void theLiveDisplayCanBeAskedAfterTheEnd() {
        LiveMemory live = new LiveMemory();
        assertEquals("connecting", live.text());
        StopSign stop = new StopSign();
        stop.raise();
        new MemoryRun(MemoryPlan.of(MEMORY), LinkSetting.PLAIN, stop, live).run();
        assertEquals("closing", live.text());
    }

    @Test
    void withoutMemoryForItsGuestsItLeavesNoSocketOpen() throws IOException {
        MemoryPlan tooManyGuests = guests(10_000);
        long before = sockets();
        for (int i = 0; i < 3; i++) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new MemoryRun(tooManyGuests, LinkSetting.PLAIN, new StopSign(), new LiveMemory()).run());
        }
        assertEquals(before, sockets());
    }

    private static MemoryPlan guests(int count) {
        return new MemoryPlan(
                MEMORY,
                4,
                null,
                Hypervisor.Policy.CLOCK,
                AccessPattern.SCAN,
                MemoryOperation.WRITE,
                4096,
                1,
                1,
                count,
                Extent.ofMessages(1));
    }

    private static long sockets() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(MemoryRunTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
