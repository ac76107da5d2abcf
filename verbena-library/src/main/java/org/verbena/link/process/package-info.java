/**
 * Links between adapters of one process.
 *
 * <p>Start at {@link org.verbena.link.process.InProcessNetwork}; {@code PacketRing} carries the packets.
 *
 * <p>Thread: one thread drives each link; packets pass between the threads without a lock.
 */
@NullMarked
package org.verbena.link.process;

import org.jspecify.annotations.NullMarked;
