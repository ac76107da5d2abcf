/**
 * Conversations that Linux had with itself, with one of the two replaced by an adapter of ours: it has the address,
 * queue pair numbers, sequence numbers and keys of the one it replaces, hears what the other said, is asked for the same
 * work, and must say the same, byte for byte. {@link org.verbena.replay.Replay} does one; {@link
 * org.verbena.replay.Choice} names every difference that is allowed.
 */
@NullMarked
package org.verbena.replay;

import org.jspecify.annotations.NullMarked;
