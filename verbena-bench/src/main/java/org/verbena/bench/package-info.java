/**
 * JMH benchmarks of the library's parts, one class per part. Run with {@code ./verbena bench}; a test runs each for a moment, so
 * that none rots.
 */
@NullMarked
package org.verbena.bench;

import org.jspecify.annotations.NullMarked;
