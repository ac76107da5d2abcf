/**
 * The headers around RoCEv2 packets and iWARP streams on Ethernet: frame, IPv4, IPv6, UDP and TCP, and the Internet checksum. Codecs only, without
 * state, for any thread; they need only the JDK. For a socket the operating system writes these headers; here they serve
 * captures, tests, and links that make whole frames.
 *
 * <p>Start at {@link org.verbena.wire.ip.Udp}. Every header is a record with {@code LENGTH}, {@code read} and
 * {@code write}.
 */
@NullMarked
package org.verbena.wire.ip;

import org.jspecify.annotations.NullMarked;
