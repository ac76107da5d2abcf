/**
 * The InfiniBand transport on the wire: headers, opcodes, checksums, and the numbers that are coded in few bits. Codecs
 * only: no state machine, no thread, no I/O, nothing but the JDK. Names are those of the InfiniBand specification
 * (volume 1, chapters 7 to 9), so that it, or Wireshark, can be held beside the code.
 *
 * <p>Start at {@link org.verbena.wire.ib.Opcode}: its row says which headers follow the {@link org.verbena.wire.ib.Bth}
 * and how long they are. A packet is checked for length once, by {@link org.verbena.wire.ib.Opcode#payloadLength}; after
 * that no read of its headers can fail. Every header is a record with {@code LENGTH}, {@code read} and {@code write};
 * where a single field is wanted on every packet there is a static reader of the same name.
 *
 * <p>Everything is stateless and may be used by any thread, but {@link org.verbena.wire.ib.Icrc}, which belongs to one.
 */
@NullMarked
package org.verbena.wire.ib;

import org.jspecify.annotations.NullMarked;
