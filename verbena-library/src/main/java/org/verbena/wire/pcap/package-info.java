/**
 * Captures: reads the classic pcap format, writes pcapng, the formats of tcpdump and Wireshark. Codecs only: bytes come
 * in a segment and go to a channel that the caller opened. Nothing but the JDK; an object belongs to one thread.
 *
 * <p>Start at {@link org.verbena.wire.pcap.PcapngWriter}.
 */
@NullMarked
package org.verbena.wire.pcap;

import org.jspecify.annotations.NullMarked;
