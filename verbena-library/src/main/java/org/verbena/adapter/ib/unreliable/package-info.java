/**
 * The unreliable connection: messages of any length to one peer, without acknowledgements. A message arrives whole or not
 * at all. {@link org.verbena.adapter.ib.unreliable.UnreliableConnection} is the transport; start there. The engine's thread
 * calls everything.
 */
@NullMarked
package org.verbena.adapter.ib.unreliable;

import org.jspecify.annotations.NullMarked;
