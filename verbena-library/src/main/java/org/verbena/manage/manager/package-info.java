/**
 * A subnet manager: discovers the subnet, gives local identifiers, computes and loads routes, reacts to changes, and answers questions of
 * consumers as the subnet administration. It sees nodes only through management datagrams.
 *
 * <p>Start at {@link org.verbena.manage.manager.SubnetManager}. Consumers ask with {@link org.verbena.manage.manager.SaClient}.
 *
 * <p>Thread: the thread that drives the fabric.
 */
@NullMarked
package org.verbena.manage.manager;

import org.jspecify.annotations.NullMarked;
