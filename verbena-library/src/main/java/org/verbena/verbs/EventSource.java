package org.verbena.verbs;

/** What an asynchronous event can be about. */
public sealed interface EventSource permits QueuePair, CompletionQueue, SharedReceiveQueue {}
