/**
 * {@code verbena memory}: more memory than there is, used over the wire. {@link org.verbena.tools.memory.MemoryCommand} is the
 * command, {@link org.verbena.tools.memory.MemoryRun} its steps: fill all of the memory, load it ({@link
 * org.verbena.tools.memory.Load}), read all of it back. Every message carries a stamp of its place and version, so that
 * bytes of another page or of an older day are told apart from the right ones.
 *
 * <p>One consumer thread; the engines and the page store have their own.
 */
@NullMarked
package org.verbena.tools.memory;

import org.jspecify.annotations.NullMarked;
