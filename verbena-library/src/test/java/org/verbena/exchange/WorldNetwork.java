package org.verbena.exchange;

import org.verbena.link.Link;

/** The network of a world: its links, and the passing of time in it. */
public interface WorldNetwork extends AutoCloseable {
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

    /** Packets that have gone from an adapter to a switch; 0 if there is none. */
    long switched();

    /** Counts afresh what the network keeps account of, when all is quiet and all adapters are closed: an error is an {@link AssertionError}. */
    void audit();

    @Override
    void close();
}
