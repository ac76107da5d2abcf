package org.verbena.services.push.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.time.Seed;

/** Transfer indications in 32 bits. */
final class IndicationTest {
    @Test
    void elementFiveOfPoolSevenWith256Bytes() {
        assertTrue(Indication.fits(7, 5, 256));
        assertEquals(0x0705_0100, Indication.word(7, 5, 256));
    }

    @Test
    void everySizeThatFitsIsExact() {
        for (int size = 1; size <= 65_536; size++) {
            assertTrue(Indication.fits(255, 255, size));
            int word = Indication.word(255, 254, size);
            assertEquals(255, Indication.pool(word));
            assertEquals(254, Indication.element(word));
            assertEquals(size, Indication.size(word));
        }
        assertEquals(0xff_fe_0000, Indication.word(255, 254, 65_536));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0, 0, 65537",
        "0, 0, -1",
        "256, 0, 1",
        "0, 256, 1",
        "-1, 0, 1",
        "0, -1, 1",
        "-2147483648, 0, 1",
        "0, 0, -2147483648",
        "0, 0, 2147483647"
    })
    void aTransferThatDoesNotFitIsNamed(int pool, int element, int size) {
        assertFalse(Indication.fits(pool, element, size));
    }

    @Test
    void everyWordIsOneTransfer() {
        Seed seed = new Seed(3);
        for (int i = 0; i < 100_000; i++) {
            int word = seed.nextInt();
            int pool = Indication.pool(word);
            int element = Indication.element(word);
            int size = Indication.size(word);
            assertTrue(Indication.fits(pool, element, size));
            assertEquals(word, Indication.word(pool, element, size));
        }
    }
}
