/**
 * The reliable connection. {@link org.verbena.adapter.ib.reliable.Requester} sends requests. {@link
 * org.verbena.adapter.ib.reliable.Responder} takes the peer's requests and {@link org.verbena.adapter.ib.reliable.Answerer} answers
 * them. {@link org.verbena.adapter.ib.reliable.Completer} takes the peer's answers and retires requests; {@link
 * org.verbena.adapter.ib.reliable.Recovery} has requests sent again. {@link
 * org.verbena.adapter.ib.reliable.ReliableConnection} holds these parts; start there. The engine's thread calls everything.
 */
@NullMarked
package org.verbena.adapter.ib.reliable;

import org.jspecify.annotations.NullMarked;
