package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** Which identifications are believed: those of a counter, and those of segmentation offload. */
final class IdentificationsTest {
    private final Identifications identifications = new Identifications();

    @Test
    void aCounterIsFollowedAroundTheEndOfItsRange() {
        for (int i = 0; i < 200_000; i += 7) {
            assertTrue(identifications.accept((60_000 + i) & 0xffff));
        }
    }

    @Test
    void segmentsOfOneDatagramCountFromZero() {
        assertTrue(identifications.accept(40_000));
        for (int i = 0; i < Identifications.SEGMENTS; i++) {
            assertTrue(identifications.accept(i));
        }
        assertTrue(identifications.accept(40_001));
    }

    @Test
    void whatIsFarOffIsADamagedPacket() {
        assertTrue(identifications.accept(40_000));
        assertFalse(identifications.accept(20_000));
        assertFalse(identifications.accept(50_000));
        assertTrue(identifications.accept(40_002));
    }

    @Test
    void aPeerThatBeginsAnewIsBelievedAfterSeveralThatFit() {
        assertTrue(identifications.accept(40_000));
        assertFalse(identifications.accept(20_000));
        assertFalse(identifications.accept(20_001));
        assertFalse(identifications.accept(20_002));
        assertTrue(identifications.accept(20_003));
        assertTrue(identifications.accept(20_004));
    }

    @Test
    void oncePacketsCameAsGuessedNoFirstImpressionIsTaken() {
        identifications.onGuessed();
        assertFalse(identifications.accept(12_345));
    }

    @Test
    void randomOnesAreNearlyAllRefused() {
        var random = new Seed(3);
        assertTrue(identifications.accept(40_000));
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            accepted += identifications.accept(random.nextInt(1 << 16)) ? 1 : 0;
        }
        // About (2 · 64 + 1 + 128) of 65,536 by chance.
        assertEquals(392, accepted, 100);
    }
}
