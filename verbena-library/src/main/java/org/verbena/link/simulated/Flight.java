package org.verbena.link.simulated;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.link.Packet;

/** A packet under way in a {@link SimulatedNetwork}: its bytes, and when it arrives. Used again and again. */
final class Flight implements Comparable<Flight> {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(Packet.LENGTH_MAX);
    final Packet packet = new Packet().in(MemorySegment.ofBuffer(bytes), bytes).identificationCertain(true);
    long arrivalNs;
    private long number;

    /** Sent, as the number-th packet of the whole network: that decides among arrivals of the same moment. */
    void depart(long arrivesNs, long packetNumber) {
        arrivalNs = arrivesNs;
        number = packetNumber;
    }

    /** Becomes a copy of another packet. */
    Flight copyOf(Packet other) {
        packet.copy(other);
        return this;
    }

    @Override
    public int compareTo(Flight other) {
        int byTime = Long.compare(arrivalNs, other.arrivalNs);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
}
