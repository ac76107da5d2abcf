package org.verbena.memory.hypervisor;

import java.time.Duration;
import org.verbena.PageFault;
import org.verbena.Verdict;

/**
 * Is told of the page faults that adapters meet in memory of a hypervisor, the host's and its guests'; see {@link
 * Hypervisor#watchFaults}. Called for one fault after the other, never on an engine's thread. It may block: the engines go on, and
 * news that finds no place is dropped and counted ({@link FaultWatch#dropped}). An exception that it throws is counted, and the next
 * call is made.
 */
@FunctionalInterface
public interface FaultListener {
    /**
     * A fault has ended.
     *
     * @param outcome {@link Verdict#GRANTED}: its pages came; {@link Verdict#NOT_RESIDENT}: they did not come within the time limit,
     *     or the queue pair ended before; else the reason why a page cannot be had
     * @param duration from the access that met the fault until the engine knew the outcome, by the engine's clock; zero if the pages
     *     came at once
     */
    void onEnd(PageFault fault, Verdict outcome, Duration duration);

    /** A fault has begun. Its end follows, unless it is dropped. */
    default void onBegin(PageFault fault) {}
}
