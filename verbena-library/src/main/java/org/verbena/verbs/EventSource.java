package org.verbena.verbs;

/** An object that asynchronous events can be about. */
public sealed interface EventSource permits Adapter, QueuePair, CompletionQueue, SharedReceiveQueue {}
