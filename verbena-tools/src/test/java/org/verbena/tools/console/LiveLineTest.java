package org.verbena.tools.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LiveLineTest {
    private final StringWriter out = new StringWriter();
    private final CountDownLatch asked = new CountDownLatch(2);

    @Test
    void theLineIsWrittenOverAndGoneInTheEnd() throws InterruptedException {
        watch(true);
        assertTrue(out.toString().contains("\r\u001b[Kgoing on"), out::toString);
        assertTrue(out.toString().endsWith("\r\u001b[K"), out::toString);
    }

    @Test
    void nothingIsWrittenWithoutATerminal() throws InterruptedException {
        watch(false);
        assertEquals("", out.toString());
    }

    private void watch(boolean shown) throws InterruptedException {
        try (LiveLine _ = new LiveLine(new PrintWriter(out), shown, () -> {
            asked.countDown();
            return "going on";
        })) {
            assertTrue(asked.await(20, TimeUnit.SECONDS));
        }
    }
}
