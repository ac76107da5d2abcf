package org.verbena.manage;

/** A user of management datagrams that has timers too: the fabric calls it when they are due, in virtual and in real time. */
public interface MadTask extends MadReceiver {
    /** When {@link #work} is to be called; {@link Long#MAX_VALUE}: never. The fabric asks after each call and each send. */
    long nextDeadlineNs();

    /** Does what is due. */
    void work(long nowNs);
}
