/**
 * Simulated subnets: switches, routers and hosts with a data path, in virtual or in real time. Adapters open on their ports, real
 * management tools attach to them.
 *
 * <p>Start at {@link org.verbena.fabric.Fabric}.
 *
 * <p>Thread: each type says which.
 */
@NullMarked
package org.verbena.fabric;

import org.jspecify.annotations.NullMarked;
