/**
 * The port through which an engine's queue pairs use InfiniBand: {@link org.verbena.adapter.ib.port.InfiniBandPort}, a carrier.
 * The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib.port;

import org.jspecify.annotations.NullMarked;
