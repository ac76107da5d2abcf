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
        watch(true, "going on");
        assertTrue(out.toString().contains("\r\u001b[Kgoing on"), out::toString);
        assertTrue(out.toString().endsWith("\r\u001b[K"), out::toString);
    }

    @Test
    void severalLinesAreWrittenOverAsOne() throws InterruptedException {
        watch(true, "one\ntwo\nthree");
        assertTrue(out.toString().startsWith("\r\u001b[Kone\ntwo\nthree\r\u001b[2A\u001b[Jone"), out::toString);
        assertTrue(out.toString().endsWith("three\r\u001b[2A\u001b[J"), out::toString);
    }

    @Test
    void aLineTooLongIsCut() throws InterruptedException {
        watch(true, "x".repeat(1000));
        assertTrue(out.toString().contains("x".repeat(79) + "\r"), out::toString);
        assertTrue(!out.toString().contains("x".repeat(1000)), out::toString);
    }

    @Test
    void linesThatTheTerminalWouldScrollAwayAreLeftOut() throws InterruptedException {
        watch(true, "line\n".repeat(23) + "beyond");
        assertTrue(out.toString().startsWith("\r\u001b[Kline\n"), out::toString);
        assertTrue(out.toString().contains("line\r\u001b[22A\u001b[J"), out::toString);
        assertTrue(!out.toString().contains("beyond"), out::toString);
    }

    @Test
    void nothingIsWrittenWithoutATerminal() throws InterruptedException {
        watch(false, "going on");
        assertEquals("", out.toString());
    }

    private void watch(boolean shown, String text) throws InterruptedException {
        try (LiveLine _ = new LiveLine(new PrintWriter(out), shown, () -> {
            asked.countDown();
            return text;
        })) {
            assertTrue(asked.await(20, TimeUnit.SECONDS));
        }
    }
}
