/**
 * InfiniBand packets on a link: {@link org.verbena.adapter.ib.Transmitter} begins and seals a packet, {@link
 * org.verbena.adapter.ib.Demultiplexer} checks one that has arrived and finds its queue pair. The services are in the packages
 * below this one. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib;

import org.jspecify.annotations.NullMarked;
