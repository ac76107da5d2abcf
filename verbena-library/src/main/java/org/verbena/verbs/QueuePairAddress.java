package org.verbena.verbs;

import org.verbena.link.Endpoint;

/**
 * What one end must know of the other to connect: exchanged by hand, or by a connection manager.
 *
 * @param endpoint address and UDP port of its adapter
 * @param number of the queue pair, 24 bits
 * @param firstPsn sequence number of the first packet it will send, 24 bits
 */
public record QueuePairAddress(Endpoint endpoint, int number, int firstPsn) {}
