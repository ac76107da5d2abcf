/**
 * The split network driver: an I/O unit with a network interface, and hosts that use it over service connections.
 *
 * <p>A driver belongs to the thread that calls its {@code work}.
 */
@NullMarked
package org.verbena.services.lan;

import org.jspecify.annotations.NullMarked;
