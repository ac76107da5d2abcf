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
            assertTrue(identifications.accept((60_000 + i) & 0xffff, 0));
        }
    }

    @Test
    void segmentsOfOneDatagramCountFromZero() {
        assertTrue(identifications.accept(40_000, 0));
        for (int i = 0; i < Identifications.SEGMENTS; i++) {
            assertTrue(identifications.accept(i, 0));
        }
        assertTrue(identifications.accept(40_001, 0));
    }

    @Test
    void whatIsFarOffIsADamagedPacket() {
        assertTrue(identifications.accept(40_000, 0));
        assertFalse(identifications.accept(20_000, 0));
        assertFalse(identifications.accept(50_000, 0));
        assertTrue(identifications.accept(40_002, 0));
    }

    @Test
    void aPeerThatBeginsAnewIsBelievedAfterSeveralThatFit() {
        assertTrue(identifications.accept(40_000, 0));
        assertFalse(identifications.accept(20_000, 0));
        assertFalse(identifications.accept(20_001, 0));
        assertFalse(identifications.accept(20_002, 0));
        assertTrue(identifications.accept(20_003, 0));
        assertTrue(identifications.accept(20_004, 0));
    }

    @Test
    void oncePacketsCameAsGuessedNoFirstImpressionIsTaken() {
        identifications.onGuessed();
        assertFalse(identifications.accept(12_345, 0));
    }

    @Test
    void aSilenceMovesLinuxsCounterOnByAStepATick() {
        assertTrue(identifications.accept(40_000, 0));
        assertFalse(identifications.accept(40_600, Identifications.TICK_NS));
        assertTrue(identifications.accept(40_600, 600 * Identifications.TICK_NS));
        assertFalse(identifications.accept(40_500, 700 * Identifications.TICK_NS));
        assertFalse(identifications.accept(40_700, 600 * Identifications.TICK_NS));
    }

    @Test
    void eachPeerHasAHistoryOfItsOwnWhateverItsQueuePairs() {
        var peers = new PeerIdentifications();
        assertTrue(peers.of(0x0a00_0001).accept(40_000, 0));
        assertTrue(peers.of(0x0a00_0002).accept(10_000, 0));
        assertTrue(peers.of(0x0a00_0001).accept(40_001, 0));
        assertFalse(peers.of(0x0a00_0002).accept(40_002, 0));
    }

    @Test
    void aPeerPushedOutByAnotherIsTakenForANewOne() {
        var peers = new PeerIdentifications();
        assertTrue(peers.of(0).accept(40_000, 0));
        for (int address = 1; address < 100 * Limits.PEERS_REMEMBERED; address++) {
            assertTrue(peers.of(address).accept(10_000, 0));
        }
        assertTrue(peers.of(0).accept(20_000, 0));
    }

    @Test
    void randomOnesAreNearlyAllRefused() {
        var random = new Seed(3);
        assertTrue(identifications.accept(40_000, 0));
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            accepted += identifications.accept(random.nextInt(1 << 16), 0) ? 1 : 0;
        }
        // About (2 · 64 + 1 + 128) of 65,536 by chance.
        assertEquals(392, accepted, 100);
    }
}
