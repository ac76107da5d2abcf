package org.verbena.simulation;

/** What consumers do: polls, posts, decides when it is over. Works after every turn of the adapters. */
interface Workload {
    void work(long nowNs);

    boolean isDone();

    /** When it wants to work though nothing arrives; {@link Long#MAX_VALUE}: never. */
    long nextActionNs();
}
