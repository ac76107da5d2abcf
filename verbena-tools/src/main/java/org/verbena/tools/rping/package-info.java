/**
 * {@code verbena rping}: the exchange of rdma-core's {@code rping}, so that either end may be the original. {@link
 * org.verbena.tools.rping.RpingCommand} reads the options; {@link org.verbena.tools.rping.RpingClient} and {@link
 * org.verbena.tools.rping.RpingServer} are the two ends, each with a {@link org.verbena.tools.rping.RpingSession}. A thread
 * for each connection.
 */
@NullMarked
package org.verbena.tools.rping;

import org.jspecify.annotations.NullMarked;
