/**
 * What a stranger can do to an engine: a peer that sends anything, a consumer that writes anything into its rings. One
 * thread does everything, in virtual time.
 */
@NullMarked
package org.verbena.fuzz;

import org.jspecify.annotations.NullMarked;
