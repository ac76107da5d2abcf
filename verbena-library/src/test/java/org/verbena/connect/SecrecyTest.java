package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** What a peer is told does not tell it what others are told. */
final class SecrecyTest {
    private static Adapter open(long seed) {
        return Adapter.open(
                new InProcessNetwork().open(),
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(seed));
    }

    /** All but two bits of the GUID are drawn: four guesses would give the state of a generator that repeats. */
    @Test
    void idsDoNotFollowFromTheGuid() {
        try (Adapter adapter = open(0)) {
            long guid = adapter.management().guid();
            int first = Agent.of(adapter).random();
            for (long top = 0; top < 4; top++) {
                Seed guess = new Seed(unmixed((guid & ~(3L << 56)) | (top << 56)));
                for (int i = 0; i < 8; i++) {
                    assertNotEquals(guess.nextInt(), first);
                }
            }
        }
    }

    @Test
    void withASeedEverythingRepeats() {
        try (Adapter one = open(5);
                Adapter other = open(5)) {
            assertEquals(one.management().guid(), other.management().guid());
            assertEquals(Agent.of(one).random(), Agent.of(other).random());
        }
    }

    private static long unmixed(long drawn) {
        long z = drawn ^ drawn >>> 31 ^ drawn >>> 62;
        z *= 0x319642b2d24d8ec3L;
        z = z ^ z >>> 27 ^ z >>> 54;
        z *= 0x96de1b173f119089L;
        return z ^ z >>> 30 ^ z >>> 60;
    }
}
