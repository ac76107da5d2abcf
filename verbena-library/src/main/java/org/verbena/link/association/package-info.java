/**
 * Associations: connections that carry messages and keep their boundaries, as SCTP does, in any order. Start at {@link
 * org.verbena.link.association.Association}. The thread that drives the engine calls everything.
 */
@NullMarked
package org.verbena.link.association;

import org.jspecify.annotations.NullMarked;
