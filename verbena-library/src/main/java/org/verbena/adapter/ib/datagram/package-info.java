/**
 * The unreliable datagram: messages of one packet to any queue pair there is an address handle for, and to groups. {@link
 * org.verbena.adapter.ib.datagram.DatagramTransport} is the transport; start there. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib.datagram;

import org.jspecify.annotations.NullMarked;
