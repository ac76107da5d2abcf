package org.verbena.connect.protocol;

import org.verbena.PrivateData;

/** The answer to a question for the queue pair of a service. */
public record DatagramService(int queuePair, int qkey, PrivateData privateData) {}
