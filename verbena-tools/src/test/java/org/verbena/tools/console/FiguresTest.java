package org.verbena.tools.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FiguresTest {
    @ParameterizedTest
    @CsvSource({"0, 0 B", "8, 8 B", "1024, 1 KiB", "65536, 64 KiB", "65537, 65537 B", "1073741824, 1 GiB"})
    void sizesStayWhole(long bytes, String shown) {
        assertEquals(shown, Figures.size(bytes));
    }

    @Test
    void bandwidthIsInMillionsOfBytesAndBillionsOfBits() {
        assertEquals("1,250.0 MB/s (10.00 Gbit/s)", Figures.bandwidth(1.25e9));
    }
}
