package org.verbena.tools.memory;

/** Says what to do next. */
@FunctionalInterface
interface Work {
    /** Fills in operation and cells, which are its own until {@link Cells#give}; false: there is nothing more to do. */
    boolean next(Message message);
}
