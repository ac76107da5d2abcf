package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;

final class PortRatesTest {
    /** Read from ports of ibsim 0.10 with {@code smpquery portinfo}, but for NDR, which it does not know. */
    @ParameterizedTest
    @CsvSource({
        "X1,  SDR,   1,  1, 0,  0,  false",
        "X4,  SDR,   3,  1, 0,  0,  false",
        "X4,  DDR,   3,  3, 0,  0,  false",
        "X4,  QDR,   3,  7, 0,  0,  false",
        "X4,  FDR10, 3,  7, 0,  0,  true",
        "X4,  FDR,   3,  7, 7,  1,  true",
        "X4,  EDR,   3,  7, 7,  3,  true",
        "X4,  HDR,   3,  7, 7,  7,  true",
        "X4,  NDR,   3,  7, 15, 15, true",
        "X8,  EDR,   4,  7, 7,  3,  true",
        "X12, EDR,   11, 7, 7,  3,  true",
        "X2,  HDR,   16, 7, 7,  7,  true",
    })
    void masksOfARateAreThoseOfIbsim(
            LinkWidth width, LinkSpeed speed, int widths, int speeds, int supported, int extended, boolean fdr10) {
        PortRates rates = PortRates.of(width, speed);
        assertEquals(new PortRates(31, widths, 7, speeds, supported, extended, fdr10), rates);
        assertEquals(width, rates.widthWith(rates));
        assertEquals(speed, rates.speedWith(rates));
    }

    @Test
    void thePortWithoutARateIsFourTimesSdr() {
        assertEquals(new PortRates(31, 2, 7, 1, 0, 0, false), PortRates.DEFAULT);
    }

    @Test
    void aRateThatIsNotExtendedLeavesTheExtendedSpeeds() {
        PortRates rates = PortRates.enabled(2, 1, 2, false).with(LinkWidth.X4, LinkSpeed.QDR);
        assertEquals(PortRates.enabled(3, 7, 2, false), rates);
    }

    @Test
    void masksAreChecked() {
        assertThrows(TopologyException.class, () -> PortRates.enabled(0, 1, 0, false));
        assertThrows(TopologyException.class, () -> PortRates.enabled(32, 1, 0, false));
        assertThrows(TopologyException.class, () -> PortRates.enabled(1, 0, 0, false));
        assertThrows(TopologyException.class, () -> PortRates.enabled(1, 8, 0, false));
        assertThrows(TopologyException.class, () -> PortRates.enabled(1, 1, 16, false));
        assertThrows(TopologyException.class, () -> new PortRates(1, 3, 7, 7, 0, 0, false));
    }
}
