package org.verbena.adapter.pair;

/** Parameters with which a queue pair begins to send. Parameters of one kind of carrier are in the class that implements this. */
public interface ReadyParameters {
    /** Reads and atomics that may be under way at once, at most as many as the peer keeps. */
    int outstandingReads();
}
