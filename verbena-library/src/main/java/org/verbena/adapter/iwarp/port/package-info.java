/**
 * iWARP as a carrier: streams that are open, and the queue pairs on them. Start at {@link org.verbena.adapter.iwarp.port.IwarpPort}. The
 * engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.iwarp.port;

import org.jspecify.annotations.NullMarked;
