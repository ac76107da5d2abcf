package org.verbena.manage.agent;

/**
 * A packet whose key was refused, for the count of violations and the trap.
 *
 * @param key the partition key, or the queue key
 * @param serviceLevel 4 bits
 * @param sourceQueuePair 0 if the packet does not name it
 */
public record BadPacket(
        int sourceLid, int targetLid, int key, int serviceLevel, int sourceQueuePair, int targetQueuePair) {}
