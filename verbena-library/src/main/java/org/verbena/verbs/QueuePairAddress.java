package org.verbena.verbs;

import org.verbena.link.Endpoint;

/**
 * Address of one end of a connection, which the other end needs. The consumers exchange it, or a connection manager does.
 *
 * @param endpoint address and UDP port of its adapter
 * @param number of the queue pair, 24 bits
 * @param firstPsn sequence number of the first packet it will send, 24 bits
 */
public record QueuePairAddress(Endpoint endpoint, int number, int firstPsn) {}
