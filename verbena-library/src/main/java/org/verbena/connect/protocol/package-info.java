/**
 * The protocol of the communication manager, as a state machine: no thread, no clock, no socket of its own. It is given
 * datagrams and the time, and says what to send; {@code docs/internals/connection-management.md} has its table.
 *
 * <p>Start at {@link org.verbena.connect.protocol.Conversations}. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.connect.protocol;

import org.jspecify.annotations.NullMarked;
