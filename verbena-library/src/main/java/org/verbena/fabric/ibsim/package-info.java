/**
 * Serves a fabric at the protocol of ibsim, so that unmodified management tools attach to it.
 *
 * <p>Start at {@link org.verbena.fabric.ibsim.IbsimServer}.
 *
 * <p>Thread: the thread that drives the fabric.
 */
@NullMarked
package org.verbena.fabric.ibsim;

import org.jspecify.annotations.NullMarked;
