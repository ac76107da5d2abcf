/**
 * Topologies of fabrics: nodes, ports and cables, net files, generators, drawings. Immutable values.
 *
 * <p>Start at {@link org.verbena.fabric.topology.Topology}.
 *
 * <p>Thread: any.
 */
@NullMarked
package org.verbena.fabric.topology;

import org.jspecify.annotations.NullMarked;
