/**
 * A second kind of carrier beside InfiniBand: queue pairs that reach each other by byte streams in memory. It shows that a
 * transport needs no class of InfiniBand.
 */
@NullMarked
package org.verbena.stream;

import org.jspecify.annotations.NullMarked;
