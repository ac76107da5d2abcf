/**
 * iWARP: queue pairs over streams. This package has the contract between the layer that finds the boundaries of DDP segments and the
 * layers above: {@link org.verbena.adapter.iwarp.SegmentReceiver} and {@link org.verbena.adapter.iwarp.SegmentChannel}. DDP knows
 * these two and no TCP; {@code mpa} implements them for byte streams. A transport with message boundaries, as SCTP, would implement them
 * without {@code mpa}.
 *
 * <p>Everything here is a state machine without I/O, time and threads; the engine's thread calls.
 */
@NullMarked
package org.verbena.adapter.iwarp;

import org.jspecify.annotations.NullMarked;
