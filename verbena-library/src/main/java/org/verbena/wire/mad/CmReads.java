package org.verbena.wire.mad;

/**
 * Limits of reads and atomics, as the sender of a {@link Req} or a {@link Rep} states them.
 *
 * @param responderResources reads and atomics of the peer that the sender keeps at once, 8 bits
 * @param initiatorDepth reads and atomics that the sender has outstanding at once, 8 bits
 */
public record CmReads(int responderResources, int initiatorDepth) {}
