/**
 * Connections by address and port, through queue pair 1, as rdma_cm makes them. A {@link org.verbena.connect.Listener} takes
 * requests, a {@link org.verbena.connect.Connector} makes them; the result is a {@link org.verbena.connect.Connection} at each
 * end. The queue pair belongs to the consumer all the time. This package brings it to RTS, and to ERROR when the connection is
 * over.
 *
 * <p>Any thread may call everything. Methods that return a future work with every way to run an adapter. Futures are completed
 * and callbacks called on the engine's thread, so they must not wait. Methods that wait drive an adapter that runs inline.
 */
@NullMarked
package org.verbena.connect;

import org.jspecify.annotations.NullMarked;
