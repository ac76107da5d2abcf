/**
 * What a queue pair is made of whatever its service: its {@link org.verbena.adapter.pair.Lifecycle}, its queues, how its
 * consumer is told, how messages are taken in and how packets of one are made. The services, in the packages beside this
 * one, are put together from these parts; {@link org.verbena.adapter.pair.QueuePairTransport} is how a consumer drives
 * any of them. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.pair;

import org.jspecify.annotations.NullMarked;
