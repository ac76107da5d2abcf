/**
 * Where the runner of an engine waits.
 *
 * <p>Start at {@link org.verbena.link.sleep.RunnerSleeper}. It waits by {@code ParkWaiter} while all sources are in memory, by {@code
 * EpollWaiter} for descriptors of Linux, by {@code SelectorWaiter} for channels of the JDK. {@code WakeFlag} guards against lost
 * wake-ups. {@code AttachedSource} is a source of a consumer. Not exported.
 *
 * <p>Thread: one thread at a time sleeps; any thread wakes it. A sleep has three parts. The first and the last one are the driving thread's; the one
 * between, in which the thread blocks, leaves the engine to other threads.
 */
@NullMarked
package org.verbena.link.sleep;

import org.jspecify.annotations.NullMarked;
