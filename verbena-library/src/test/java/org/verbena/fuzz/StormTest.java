package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;

/** Far more rubbish than packets: the adapter throws it away, and a connection beside it goes on. */
final class StormTest {
    private static final int ROUNDS = 20;
    private static final int PACKETS = 2000;

    @Test
    void aStormOfMalformedPacketsStopsNobodyElse() {
        var random = new Seed(9);
        for (int round = 0; round < ROUNDS; round++) {
            try (var siege = new Siege()) {
                for (int i = 0; i < PACKETS; i++) {
                    rain(siege, random);
                    if (i % 50 == 0) {
                        siege.step(1000);
                    }
                }
                siege.assertHarmless();
                assertTrue(dropped(siege) > PACKETS / 4, () -> dropped(siege) + " packets were dropped");
            }
        }
    }

    private static long dropped(Siege siege) {
        return Arrays.stream(Counter.values())
                .filter(counter -> counter.name().startsWith("DROPPED"))
                .mapToLong(siege.victim.counters()::value)
                .sum();
    }

    /** Half of the packets are any bytes, the others have a right CRC and chosen fields. */
    private static void rain(Siege siege, Seed random) {
        byte[] bytes = new byte[random.nextInt(300)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        if (random.nextInt(2) == 0) {
            siege.forger.sendRaw(bytes, siege.innocentNumber());
        } else {
            siege.forger.send(new Script(bytes), siege.attacked.number());
        }
    }
}
