package org.verbena.fabric.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;
import org.verbena.wire.ib.Vcrc;

/** The change of a variant CRC by linearity, against one that is computed in full. */
final class LaneChangeTest {
    @Test
    void everyChangeOfLaneGivesTheCrcThatAFullComputationGives() {
        Seed seed = new Seed(3);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment packet = arena.allocate(Parcel.ROOM);
            for (int length = 4; length <= Parcel.ROOM; length += 4) {
                for (int at = 0; at < length; at += 4) {
                    packet.set(ValueLayout.JAVA_INT_UNALIGNED, at, seed.nextInt());
                }
                int before = Vcrc.compute(packet, 0, length);
                int difference = seed.nextInt(16) << 4;
                byte first = packet.get(ValueLayout.JAVA_BYTE, 0);
                packet.set(ValueLayout.JAVA_BYTE, 0, (byte) (first ^ difference));
                assertEquals(
                        Vcrc.compute(packet, 0, length),
                        before ^ LaneChange.of(difference, length),
                        "length " + length + ", bits " + difference);
            }
        }
    }
}
