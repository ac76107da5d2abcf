package org.verbena.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.Operation;
import org.verbena.tools.CommandRun;
import org.verbena.tools.Tshark;
import org.verbena.tools.link.LinkSetting;
import org.verbena.verbs.WorkRequest;

@Timeout(120)
final class DemoTest {
    @Test
    void everythingIsRightAndSaidSo() {
        CommandRun run = CommandRun.of("demo");
        assertEquals(0, run.exitCode(), run::toString);
        assertFalse(run.out().contains("WRONG"), run::out);
        assertTrue(run.out().contains("All operations work, every byte is right."), run::out);
        assertTrue(run.out().contains("send with invalidate") && run.out().contains("MB/s"), run::out);
        assertTrue(
                run.out()
                        .lines()
                        .anyMatch(line -> line.matches(".*256 MiB registered in 64 MiB .* page faults, all right")),
                run::out);
        assertEquals("", run.err(), "no live figures without a terminal");
    }

    @Test
    void theCaptureOfAllOperationsIsGoodToWireshark(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed");
        Path file = directory.resolve("demo.pcapng");
        CommandRun run = CommandRun.of("demo", "--capture", file.toString());
        assertEquals(0, run.exitCode(), run::toString);
        Tshark.requireGood(file, 30);
    }

    @Test
    void oneWrongByteIsNoticed() {
        LinkSetting.Pair links = LinkSetting.PLAIN.loopback();
        try (DemoEnd left = new DemoEnd("left", links.near());
                DemoEnd right = new DemoEnd("right", links.far())) {
            left.connect(right);
            right.connect(left);
            left.fill(0, 100, 1);
            left.post(new WorkRequest.Write(0, left.segment(0, 100), right.remote(0)));
            left.done(Operation.WRITE);
            right.expect(0, 100, 1);
            right.clear(99, 1);
            assertThrows(Wrong.class, () -> right.expect(0, 100, 1));
            assertThrows(Wrong.class, () -> right.expectSame(0, left, 0, 100));
        }
    }

    @Test
    void anotherOutcomeThanExpectedIsNoticed() {
        LinkSetting.Pair links = LinkSetting.PLAIN.loopback();
        try (DemoEnd left = new DemoEnd("left", links.near());
                DemoEnd right = new DemoEnd("right", links.far())) {
            left.connect(right);
            right.connect(left);
            left.post(new WorkRequest.Write(0, left.segment(0, 8), right.remote(DemoEnd.MEMORY)));
            String message = String.valueOf(
                    assertThrows(Wrong.class, () -> left.done(Operation.WRITE)).getMessage());
            assertTrue(message.contains("remote access error"), message);
        }
    }
}
