/**
 * InfiniBand packets on a link: {@link org.verbena.adapter.ib.Transmitter} begins and ends a packet, {@link
 * org.verbena.adapter.ib.Demultiplexer} checks one that has arrived and finds its {@link org.verbena.adapter.ib.PacketReceiver},
 * {@link org.verbena.adapter.ib.Seal} writes and checks the check sum that the framing of the link asks for. The services are in
 * packages of their own; {@code ib.port.InfiniBandPort} puts all of it together. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib;

import org.jspecify.annotations.NullMarked;
