/**
 * iWARP over associations, which keep the boundaries of messages and not their order: one DDP segment is one message. Start at {@link
 * org.verbena.adapter.iwarp.association.AssociationPort}. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.iwarp.association;

import org.jspecify.annotations.NullMarked;
