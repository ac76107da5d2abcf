/**
 * DDP: checks the headers of segments, and keeps the queues of the untagged model (RFC 5041). Knows no memory and no stream.
 *
 * <p>Start at {@link org.verbena.adapter.iwarp.ddp.DdpReceiver}. No I/O, no time, no threads: the engine's thread calls. Nothing is
 * allocated per segment.
 */
@NullMarked
package org.verbena.adapter.iwarp.ddp;

import org.jspecify.annotations.NullMarked;
