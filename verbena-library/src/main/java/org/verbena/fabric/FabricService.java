package org.verbena.fabric;

/** Something that the thread of a fabric in real time serves beside the fabric, such as sockets of tools. */
public interface FabricService {
    /**
     * Does what there is to do, without waiting.
     *
     * @return how much was done; 0: nothing
     */
    int poll(long nowNs);

    /** Waits until there is something to do, or {@link #wake} is called, at most this long. */
    void sleep(long maxNs);

    /** Ends the wait of the fabric's thread. Any thread. */
    void wake();
}
