package org.verbena.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The table in the documentation is what the simulator measures. {@code -Dverbena.snapshot=update} writes it anew.
 */
final class GoodputTest {
    private static final String PAGE = "docs/reference/goodput.md";
    private static final String BEGIN = "<!-- goodput: made by GoodputTest -->\n";
    private static final String END = "<!-- end -->";

    @Test
    void theTableInTheDocumentationIsMeasured() throws IOException {
        Path page = Path.of("").toAbsolutePath().resolveSibling(PAGE);
        assumeTrue(Files.exists(page), "not in a checkout: there is no " + PAGE);
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END, begin);
        assertTrue(
                begin >= BEGIN.length() && end >= begin,
                PAGE + " has no table between \"" + BEGIN.strip() + "\" and \"" + END + "\"");
        String measured = Goodput.table();
        if ("update".equals(System.getProperty("verbena.snapshot"))) {
            Files.writeString(page, text.substring(0, begin) + measured + text.substring(end));
        } else {
            assertEquals(
                    text.substring(begin, end), measured, PAGE + " is not what was measured; it says how to update it");
        }
    }

    @Test
    void oneLossInAHundredDoesNotMeltTheConnectionDown() {
        for (Goodput.Stream stream : Goodput.Stream.values()) {
            double lossless = Goodput.measure(stream, "0").bytesPerSecond();
            double lossy = Goodput.measure(stream, "1").bytesPerSecond();
            assertTrue(lossy > 0.4 * lossless, () -> stream.title() + ": " + lossy + " of " + lossless + " bytes/s");
        }
    }
}
