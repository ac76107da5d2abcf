package org.verbena.adapter;

import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.TimerWheel;
import org.verbena.trace.Counters;

/**
 * Parts of one engine that its carriers, queue pairs and transports use. A constructor takes from it the parts that its object
 * uses; no object keeps it to look up parts later.
 *
 * @param time of the present turn
 * @param commands that run in the next turn; any thread
 * @param scheduler gives turns to queue pairs with work
 * @param effort meter of the work that was sent
 * @param wheel timers
 * @param queuePairs that exist, by number
 * @param completions the way to completion rings
 * @param memory that consumers have registered
 * @param faults the engine's page faults
 * @param counters any thread may read them
 * @param events receives news that no consumer asked for
 */
public record EngineParts(
        TurnTime time,
        Commands commands,
        Scheduler scheduler,
        Effort effort,
        TimerWheel wheel,
        QueuePairTable queuePairs,
        CompletionSink completions,
        ProtectionTable memory,
        Faults faults,
        Counters counters,
        Events events) {

    /**
     * Makes the parts of a new engine.
     *
     * @param wake wakes the thread that drives the engine, should it sleep; any thread may call it
     */
    public static EngineParts make(ProtectionTable memory, Events events, long startNs, Runnable wake) {
        Effort effort = new Effort();
        Counters counters = new Counters();
        return new EngineParts(
                new TurnTime(startNs),
                new Commands(wake),
                new Scheduler(effort),
                effort,
                new TimerWheel(startNs),
                new QueuePairTable(),
                new CompletionSink(counters, events),
                memory,
                new Faults(),
                counters,
                events);
    }
}
