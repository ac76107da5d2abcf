/**
 * Messages cut in packets, as several services do it: {@link org.verbena.adapter.ib.message.MessageIntake} takes them in, {@link
 * org.verbena.adapter.ib.message.UnansweredSends} sends them without an acknowledgement. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib.message;

import org.jspecify.annotations.NullMarked;
