package org.verbena.verbs;

import org.verbena.queue.IdleStrategy;

/**
 * How an adapter is run. Immutable; the {@code with} methods give changed copies.
 *
 * @param name of the adapter, and of its thread
 * @param run whose thread drives it
 * @param idle what a thread of its own does when there is nothing to do
 * @param regionsMax regions and windows it can have
 * @param seed of keys and sequence numbers; 0: a fresh one
 */
public record AdapterOptions(String name, Run run, IdleStrategy idle, int regionsMax, long seed) {
    /** Whose thread drives an adapter. */
    public enum Run {
        /** One of its own. */
        THREAD,
        /** The consumer's, while it polls. */
        INLINE,
        /** Whoever calls {@link Adapter#work}. */
        MANUAL
    }

    /** A thread of its own that backs off when idle. */
    public static final AdapterOptions DEFAULT =
            new AdapterOptions("verbena0", Run.THREAD, IdleStrategy.BACK_OFF, 1 << 20, 0);

    public AdapterOptions withName(String other) {
        return new AdapterOptions(other, run, idle, regionsMax, seed);
    }

    public AdapterOptions withRun(Run other) {
        return new AdapterOptions(name, other, idle, regionsMax, seed);
    }

    public AdapterOptions withIdle(IdleStrategy other) {
        return new AdapterOptions(name, run, other, regionsMax, seed);
    }

    public AdapterOptions withRegionsMax(int count) {
        return new AdapterOptions(name, run, idle, count, seed);
    }

    public AdapterOptions withSeed(long value) {
        return new AdapterOptions(name, run, idle, regionsMax, value);
    }
}
