package org.verbena.tools.memory;

/** Chooses the next piece of work. */
@FunctionalInterface
interface Work {
    /** Fills in operation and cells, which are its own until {@link Cells#give}; false: there is nothing more to do. */
    boolean next(Message message);
}
