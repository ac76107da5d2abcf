/**
 * Messages on top of verbs, for programs that do not want to count receives: a {@link org.verbena.message.BufferPool} of
 * registered buffers and a {@link org.verbena.message.Dispatcher} that gives completions to handlers and futures.
 *
 * <p>Start at {@link org.verbena.message.Dispatcher}. Any thread may call all methods, unless a method says otherwise. The
 * package uses the interface of consumers only: whatever it does, a program can do with {@link org.verbena.verbs} itself.
 */
@NullMarked
package org.verbena.message;

import org.jspecify.annotations.NullMarked;
