package org.verbena.verbs;

/** What an asynchronous event can be about. */
public sealed interface EventSource permits Adapter, QueuePair, CompletionQueue, SharedReceiveQueue {}
