/**
 * The protocol of the communication manager as a state machine, without threads and sockets. Datagrams, calls of consumers and
 * timers go in, messages come out. Sending, timers and the time come from {@link org.verbena.connect.protocol.Surroundings}.
 * {@code docs/internals/connection-management.md} has the table of states.
 *
 * <p>Start at {@link org.verbena.connect.protocol.Conversations}. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.connect.protocol;

import org.jspecify.annotations.NullMarked;
