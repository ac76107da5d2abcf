package org.verbena.connect.protocol;

import org.verbena.wire.mad.PrivateData;

/** What is answered to who asks for the queue pair of a service. */
public record DatagramService(int queuePair, int qkey, PrivateData privateData) {}
