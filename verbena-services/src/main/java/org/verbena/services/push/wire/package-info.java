/**
 * The messages of the messaging layer, byte by byte as in {@code docs/reference/push-messages.md}. Codecs only: no state, no thread, no I/O. Start at
 * {@link org.verbena.services.push.wire.Messages#judge}: a message that it accepts can be read by the class of its {@link
 * org.verbena.services.push.wire.MessageFunction}.
 *
 * <p>Every class reads and writes at an offset of a segment. {@code at} is always the offset of the first byte of the message's header, unless the
 * method says otherwise. Static methods allocate nothing; records are for messages that are rare. Everything may be used by any thread, but {@link
 * org.verbena.services.push.wire.UpdateBuilder}, which belongs to one.
 */
@NullMarked
package org.verbena.services.push.wire;

import org.jspecify.annotations.NullMarked;
