/**
 * Connections by address and port, through queue pair 1, as rdma_cm makes them: {@link org.verbena.connect.Listener} waits
 * for requests, {@link org.verbena.connect.Connector} makes them, a {@link org.verbena.connect.Connection} comes of both.
 * The queue pair is the consumer's all the time: it is brought to RTS here, and to ERROR when the connection is over.
 *
 * <p>Any thread may call everything. What gives a future works with every way to run an adapter; futures are completed, and
 * callbacks called, on the engine's thread, which must not be kept waiting. What waits drives an adapter that runs inline.
 */
@NullMarked
package org.verbena.connect;

import org.jspecify.annotations.NullMarked;
