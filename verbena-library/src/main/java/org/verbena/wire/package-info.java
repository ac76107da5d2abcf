/**
 * What the codecs of all wire formats share: fields in network byte order. Imports nothing but the JDK; stateless, so
 * any thread.
 *
 * <p>The formats are in the packages below: {@code ib} the InfiniBand transport, {@code ip} what carries it on Ethernet,
 * {@code pcap} captures.
 */
@NullMarked
package org.verbena.wire;

import org.jspecify.annotations.NullMarked;
