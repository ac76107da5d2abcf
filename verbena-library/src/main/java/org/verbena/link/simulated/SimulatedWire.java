package org.verbena.link.simulated;

import org.verbena.link.LinkException;
import org.verbena.link.Packet;

/**
 * The wire between a link and its {@link SimulatedNetwork}; all links of a network have the same.
 *
 * @param latencyNs time from the last bit sent to its arrival
 * @param bytesPerSecond how fast bits leave
 * @param queueMax packets of full length a sender may have waiting to leave, and packets a receiver may have waiting to be received
 */
public record SimulatedWire(long latencyNs, long bytesPerSecond, int queueMax) {
    /** Bytes of a packet on the wire beside its own: Ethernet with preamble, gap and check sequence, IPv4 and UDP. */
    private static final int OVERHEAD = 38 + 20 + 8;

    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long BYTES_PER_SECOND_MAX = 1_000_000_000_000L;
    private static final long LATENCY_MAX_NS = 3600 * NS_PER_SECOND;

    public SimulatedWire {
        if (latencyNs < 0 || latencyNs > LATENCY_MAX_NS) {
            throw new LinkException("latency of " + latencyNs + " ns found, 0 … " + LATENCY_MAX_NS + " expected");
        }
        if (bytesPerSecond < 1 || bytesPerSecond > BYTES_PER_SECOND_MAX) {
            throw new LinkException(
                    "bandwidth of " + bytesPerSecond + " bytes/s found, 1 … " + BYTES_PER_SECOND_MAX + " expected");
        }
        if (queueMax < 1) {
            throw new LinkException("queue of " + queueMax + " packets found, at least 1 expected");
        }
    }

    /** A data centre's: 5 µs, 10 Gbit/s, 256 packets. */
    public static SimulatedWire usual() {
        return new SimulatedWire(5_000, 1_250_000_000L, 256);
    }

    /** How long a packet occupies the wire. */
    long occupiedNs(int length) {
        return Math.ceilDiv((length + OVERHEAD) * NS_PER_SECOND, bytesPerSecond);
    }

    /** How far ahead of the wire a sender may get. */
    long aheadMaxNs() {
        return queueMax * occupiedNs(Packet.LENGTH_MAX);
    }
}
