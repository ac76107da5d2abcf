/**
 * What carries RoCEv2 packets on Ethernet: frame, IPv4, IPv6 and UDP headers, and the Internet checksum. Codecs only,
 * nothing but the JDK, stateless, so any thread. The operating system writes these headers for a socket; here they are
 * for captures, for tests, and for links that make whole frames.
 *
 * <p>Start at {@link org.verbena.wire.ip.Udp}. Every header is a record with {@code LENGTH}, {@code read} and
 * {@code write}.
 */
@NullMarked
package org.verbena.wire.ip;

import org.jspecify.annotations.NullMarked;
