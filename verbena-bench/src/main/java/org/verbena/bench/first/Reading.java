package org.verbena.bench.first;

import java.util.Locale;

/** A number that a first program prints. Its name in the output is that of the constant, in small letters. */
public enum Reading {
    /** Seconds from the start of the virtual machine to the begin of the count. */
    RAN_BEFORE_SECONDS,
    ROUND_TRIPS_PER_SECOND,
    /** Half of the round trips last at most so long. */
    MEDIAN_US,
    P99_US,
    /** CPU time of both processes, their compilers and collectors included. */
    CPU_US_PER_ROUND_TRIP,
    /** Packets sent again by both ends, as percent of all packets sent. */
    RESENT_PERCENT,
    /** Of both clients together. */
    GETS_PER_SECOND,
    REQUESTS_PER_SECOND,
    FIRST_COPY_MB_PER_SECOND,
    THIRD_COPY_MB_PER_SECOND,
    /** CPU time of both processes, as percent of a core. */
    CPU_PERCENT,
    /** Receiver-not-ready NAKs that the sender got. */
    RETRIES_PER_SECOND,
    /** From the post of a message that has no receive at the peer to the event {@code RECEIVE_MISSING}. */
    EVENT_AFTER_SECONDS,
    MB_PER_SECOND;

    /** The name in the output. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
