/**
 * The agents of a node: subnet management and performance management, and the registers that they read and write.
 *
 * <p>Start at {@link org.verbena.manage.agent.ManagedNode}.
 *
 * <p>Thread: the thread that drives the fabric.
 */
@NullMarked
package org.verbena.manage.agent;

import org.jspecify.annotations.NullMarked;
