/**
 * What a TCP network needs of the system's sockets.
 *
 * <p>Start at {@link org.verbena.link.tcp.driver.Sockets}. A driver implements it. Not exported.
 *
 * <p>Thread: the thread that drives the network.
 */
@NullMarked
package org.verbena.link.tcp.driver;

import org.jspecify.annotations.NullMarked;
