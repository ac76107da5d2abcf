/**
 * Management datagrams: the common header and the messages of the communication manager (specification, chapters 12 and
 * 13). Codecs only, and none of them throws for any bytes of a whole datagram.
 *
 * <p>Start at {@link org.verbena.wire.mad.CmMessage}.
 */
@NullMarked
package org.verbena.wire.mad;

import org.jspecify.annotations.NullMarked;
