/**
 * Codecs of wire formats, and what all of them share: fields in network byte order. Needs only the JDK. Stateless, so any
 * thread may call everything.
 *
 * <p>The formats are in the packages below: {@code ib} the InfiniBand transport, {@code mad} its management datagrams, {@code iwarp}
 * MPA, DDP and RDMAP, {@code ip} the headers that carry both on Ethernet, {@code pcap} captures.
 */
@NullMarked
package org.verbena.wire;

import org.jspecify.annotations.NullMarked;
