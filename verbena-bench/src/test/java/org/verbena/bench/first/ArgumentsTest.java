package org.verbena.bench.first;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class ArgumentsTest {
    @Test
    void theyAreReadInTheirOrder() {
        assertEquals(
                new Arguments(true, 4711, 0.5, 2, "blocking"),
                Arguments.parse("server", "4711", "0.5", "2", "blocking"));
        assertEquals(new Arguments(false, 4711, 0, 1, ""), Arguments.parse("client", "4711", "0", "1"));
    }

    @Test
    void othersAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Arguments.parse("watcher", "4711", "0", "1"));
        assertThrows(IllegalArgumentException.class, () -> Arguments.parse("client", "4711", "0"));
        assertThrows(IllegalArgumentException.class, () -> Arguments.parse("client", "port", "0", "1"));
        assertThrows(IllegalArgumentException.class, () -> Arguments.parse("client", "4711", "0", "1", "a", "b"));
    }
}
