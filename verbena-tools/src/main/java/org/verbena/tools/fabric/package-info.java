/** {@code verbena fabric}: topologies as lists and drawings. Start at {@link org.verbena.tools.fabric.FabricCommand}. */
@NullMarked
package org.verbena.tools.fabric;

import org.jspecify.annotations.NullMarked;
