/**
 * The sockets at which tools for subnet management find a simulated fabric: UDP on the loopback interface, as ibsim has them.
 *
 * <p>Start at {@link org.verbena.link.ibsim.IbsimSockets}.
 *
 * <p>Thread: one thread; {@code wake} any thread.
 */
@NullMarked
package org.verbena.link.ibsim;

import org.jspecify.annotations.NullMarked;
