/**
 * Many actors on one thread, any of which may be the next after each atomic operation of the code under test: races that are
 * found by a seed, and found again by it.
 */
@NullMarked
package org.verbena.interleave;

import org.jspecify.annotations.NullMarked;
