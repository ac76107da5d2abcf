/**
 * Byte streams: the contract that iWARP needs of TCP, and streams within the process. Start at {@link org.verbena.link.stream.ByteStream}.
 * The thread that drives the engine calls everything.
 */
@NullMarked
package org.verbena.link.stream;

import org.jspecify.annotations.NullMarked;
