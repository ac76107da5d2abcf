/**
 * The reliable connection: {@link org.verbena.adapter.ib.reliable.Requester} sends requests, {@link
 * org.verbena.adapter.ib.reliable.Responder} answers the peer's, {@link org.verbena.adapter.ib.reliable.Completer} takes the
 * answers and retires what they answer. {@link org.verbena.adapter.ib.reliable.ReliableConnection} holds the three and the
 * queue pair's state; start there. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib.reliable;

import org.jspecify.annotations.NullMarked;
