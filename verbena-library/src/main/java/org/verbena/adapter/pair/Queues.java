package org.verbena.adapter.pair;

import org.verbena.queue.CompletionRing;
import org.verbena.queue.Ring;

/** The queues of a queue pair. Its consumer makes them, posts to the rings and polls the completions. */
public record Queues(
        Ring sends, ReceiveSource receives, CompletionRing sendCompletions, CompletionRing receiveCompletions) {}
