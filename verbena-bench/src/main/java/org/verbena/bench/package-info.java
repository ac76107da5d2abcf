/**
 * JMH benchmarks of the library's parts, one class per part. Run with {@code ./verbena bench}; a test runs each once, so
 * that none rots.
 */
@NullMarked
package org.verbena.bench;

import org.jspecify.annotations.NullMarked;
