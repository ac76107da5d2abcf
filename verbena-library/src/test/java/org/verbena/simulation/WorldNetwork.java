package org.verbena.simulation;

import org.verbena.link.Link;

/** The network of a world: its links, and the passing of time in it. */
interface WorldNetwork extends AutoCloseable {
    /** A link that reaches the others. */
    Link open();

    /** Whether a packet is on its way. */
    boolean isBusy();

    /**
     * Lets time pass until a packet arrives, but at least and at most until these times.
     *
     * @return the time then; {@link Long#MAX_VALUE} if nothing will ever happen
     */
    long pass(long earliestNs, long latestNs);

    @Override
    void close();
}
