/**
 * System calls of Linux, by the foreign function interface.
 *
 * <p>Start at {@link org.verbena.link.linux.Libc}; {@link org.verbena.link.linux.LinuxStructs} has the layouts and constants. Not exported.
 *
 * <p>Thread: an instance of {@code Libc} belongs to one thread.
 */
@NullMarked
package org.verbena.link.linux;

import org.jspecify.annotations.NullMarked;
