/**
 * A peer made of packets, for tests: {@link org.verbena.exchange.Exchange} has one adapter, run by hand in virtual time,
 * and plays the other end of its connection by {@link org.verbena.exchange.WirePacket}s that a test writes down, so that
 * a test reads as an exchange. Sequence numbers in tests count from 0 in each direction.
 */
@NullMarked
package org.verbena.exchange;

import org.jspecify.annotations.NullMarked;
