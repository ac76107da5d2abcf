package org.verbena.adapter.ib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.verbena.adapter.Limits;
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
    void aPeerThatBeginsAnewIsBelievedAfterSeveralThatFitNothing() {
        assertTrue(identifications.accept(40_000, 0));
        assertFalse(identifications.accept(20_000, 0));
        assertFalse(identifications.accept(20_001, 0));
        assertFalse(identifications.accept(20_002, 0));
        assertTrue(identifications.accept(20_003, 0));
        assertTrue(identifications.accept(20_004, 0));
    }

    @Test
    void aPeerWhoseIdentificationsFollowNoRuleIsHeard() {
        var random = new Seed(5);
        int refused = 0;
        for (int i = 0; i < 10_000; i++) {
            refused += identifications.accept(random.nextInt(1 << 16), i) ? 0 : 1;
        }
        assertTrue(refused <= Identifications.STRANGERS_REFUSED + 1, "refused " + refused);
    }

    /** Somebody else writes the peer's address on packets that count from elsewhere: many between two of the peer's. */
    @Test
    void aForgerDoesNotHaveThePeersPacketsRefused() {
        assertTrue(identifications.accept(40_000, 0));
        int refused = 0;
        for (int i = 1; i < 10_000; i++) {
            for (int forged = 0; forged < 5; forged++) {
                identifications.accept(10_000 + ((5 * i + forged) & 0xfff), i * 100_000L);
            }
            refused += identifications.accept((40_000 + i) & 0xffff, i * 100_000L) ? 0 : 1;
        }
        assertEquals(0, refused);
    }

    /** He may even push the peer's counter out of memory, and never stop. */
    @Test
    void aForgerWithManyCountersHasAtMostAFewRefused() {
        assertTrue(identifications.accept(40_000, 0));
        var random = new Seed(7);
        int refused = 0;
        for (int i = 1; i < 10_000; i++) {
            for (int forged = 0; forged < 9; forged++) {
                identifications.accept(random.nextInt(1 << 16), i * 100_000L);
            }
            refused += identifications.accept((40_000 + i) & 0xffff, i * 100_000L) ? 0 : 1;
        }
        assertTrue(refused <= 100_000 / Identifications.PACKETS_PER_STRANGER + 3, "refused " + refused);
    }

    @Test
    void twoCountersBehindOneAddressAreBothFollowed() {
        assertTrue(identifications.accept(40_000, 0));
        for (int i = 0; i < Identifications.STRANGERS_REFUSED; i++) {
            assertFalse(identifications.accept(20_000 + i, 0));
        }
        for (int i = 0; i < 3 * Identifications.PACKETS_PER_STRANGER; i++) {
            assertTrue(identifications.accept((20_004 + i) & 0xffff, i));
            assertTrue(identifications.accept((40_004 + i) & 0xffff, i));
        }
        // And damage is found as ever.
        assertFalse(identifications.accept(5_000, 0));
    }

    @Test
    void aCounterThatStandsStillWhileAnotherMovesIsForgotten() {
        assertTrue(identifications.accept(40_000, 0));
        for (int i = 0; i < Identifications.STRANGERS_REFUSED; i++) {
            assertFalse(identifications.accept(20_000, 0));
        }
        for (long ns = 0; ns <= 2 * Identifications.TRACK_NS; ns += Identifications.TICK_NS / 10) {
            assertTrue(identifications.accept(20_000, ns));
        }
        assertFalse(identifications.accept(40_001, 2 * Identifications.TRACK_NS));
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

    /** Of damaged packets one in 65,536 seems to have an identification. */
    @Test
    void randomOnesAreNearlyAllRefused() {
        var random = new Seed(3);
        assertTrue(identifications.accept(40_000, 0));
        int accepted = 0;
        for (int i = 0; i < 5_000; i++) {
            for (int damaged = 0; damaged < 1 << 16; damaged++) {
                identifications.onDamaged();
            }
            accepted += identifications.accept(random.nextInt(1 << 16), 0) ? 1 : 0;
        }
        // About (2 · 64 + 1 + 128) of 65,536 by chance.
        assertEquals(20, accepted, 15);
    }
}
