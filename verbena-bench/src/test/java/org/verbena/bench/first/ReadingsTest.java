package org.verbena.bench.first;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ReadingsTest {
    private static final String BEFORE = "ran_before_seconds 1.5\n";

    private static void refuses(String output, String reason) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Readings.parse(output));
        assertTrue(String.valueOf(e.getMessage()).contains(reason), e.getMessage());
    }

    @Test
    void whatIsPrintedIsRead() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Readings.begin()
                .with(Reading.MEDIAN_US, 17.25)
                .with(Reading.RESENT_PERCENT, 0)
                .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        Readings read = Readings.parse(bytes.toString(StandardCharsets.UTF_8));
        assertEquals(17.25, read.value(Reading.MEDIAN_US));
        assertEquals(0, read.value(Reading.RESENT_PERCENT));
        assertTrue(read.value(Reading.RAN_BEFORE_SECONDS) > 0);
    }

    @Test
    void aReadingThatIsNotPrintedIsRefused() {
        Readings readings = Readings.parse(BEFORE);
        assertThrows(IllegalArgumentException.class, () -> readings.value(Reading.P99_US));
    }

    @Test
    void anUnknownReadingIsRefused() {
        refuses(BEFORE + "p98_us 3\n", "p98_us");
        refuses(BEFORE + "P99_US 3\n", "P99_US");
    }

    @Test
    void aLineThatIsNoReadingIsRefused() {
        refuses(BEFORE + "something else happened\n", "something else happened");
        refuses(BEFORE + "\n", "name value");
    }

    @Test
    void aValueThatIsNoFiniteNumberIsRefused() {
        refuses(BEFORE + "p99_us many\n", "p99_us many");
        refuses(BEFORE + "p99_us NaN\n", "finite");
        refuses(BEFORE + "p99_us Infinity\n", "finite");
    }

    @Test
    void aReadingThatStandsThereTwiceIsRefused() {
        refuses(BEFORE + BEFORE, "twice");
    }

    @Test
    void theTimeBeforeTheCountMustBeTold() {
        refuses("p99_us 3\n", "ran_before_seconds");
    }
}
