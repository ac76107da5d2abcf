package org.verbena.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenSmTest {
    private static final String BEGIN = " [B6E5C740] 0x02 -> osm_report_sm_state: Entering DISCOVERING state";
    private static final String UP = " [B5E5B740] 0x80 -> SUBNET UP";

    @Test
    void aSweepLastsFromDiscoveryUntilTheSubnetIsUp() {
        List<String> log = List.of(
                "Nov 16 12:00:01 100000 [B6E5C740] 0x03 -> OpenSM 3.3.24",
                "Nov 16 12:00:59 900000" + BEGIN,
                "Nov 16 12:01:02 150000" + UP,
                "Nov 16 12:01:09 150000" + UP);
        assertEquals(2.25, OpenSm.seconds(log), 1e-6);
    }

    @Test
    void aSweepMayGoOnPastMidnight() {
        assertEquals(3, OpenSm.seconds(List.of("Nov 16 23:59:58 000000" + BEGIN, "Nov 17 00:00:01 000000" + UP)), 1e-6);
    }

    @Test
    void aSweepWithAnErrorOrWithoutAnEndHasNoTime() {
        assertThrows(MeasurementException.class, () -> OpenSm.seconds(List.of("Nov 16 12:00:59 900000" + BEGIN)));
        assertThrows(
                MeasurementException.class,
                () -> OpenSm.seconds(List.of(
                        "Nov 16 12:00:59 900000" + BEGIN,
                        "Nov 16 12:01:00 100000 [B5E5B740] 0x01 -> vl15_send_mad: ERR 3E03: MAD send failed",
                        "Nov 16 12:01:02 150000" + UP)));
    }
}
