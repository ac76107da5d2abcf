/**
 * iWARP on the wire: MPA frames (RFC 5044, 6581), DDP headers (RFC 5041), RDMAP headers (RFC 5040) and its atomic operations
 * and immediate data (RFC 7306). Codecs only: no state machine, no thread, no I/O, nothing but the JDK. Names are those of the
 * RFCs, so that they, or Wireshark, can be held beside the code.
 *
 * <p>Start at {@link org.verbena.wire.iwarp.RdmapOpcode}: its row says which model, which queue and which header a message has. An
 * {@link org.verbena.wire.iwarp.Fpdu} has a DDP segment in it, which begins with a {@link org.verbena.wire.iwarp.TaggedHeader} or an
 * {@link org.verbena.wire.iwarp.UntaggedHeader}. Every header is a record with {@code LENGTH}, {@code read} and {@code write}; where
 * a single field is wanted on every segment there is a static reader of the same name.
 *
 * <p>Everything is stateless and may be used by any thread, but {@link org.verbena.wire.iwarp.MpaCrc}, which belongs to one.
 */
@NullMarked
package org.verbena.wire.iwarp;

import org.jspecify.annotations.NullMarked;
