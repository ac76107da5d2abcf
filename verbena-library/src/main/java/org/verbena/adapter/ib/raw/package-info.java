/**
 * Raw datagrams: packets of other protocols by their EtherType, over links that carry such (the in-process one). {@link
 * org.verbena.adapter.ib.raw.RawTransport} is the transport; start there. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib.raw;

import org.jspecify.annotations.NullMarked;
