package org.verbena.services.push;

/** What a service connection counts, beside refused messages. */
public enum ServiceCounter {
    /** Data sent. */
    DATA_SENT,
    /** Bytes of data sent. */
    BYTES_SENT,
    /** Data received. */
    DATA_RECEIVED,
    /** Bytes of data received. */
    BYTES_RECEIVED,
    /** Transfers that were indicated by immediate data. */
    INDICATED_BY_IMMEDIATE,
    /** Transfers that were indicated by a message. */
    INDICATED_BY_MESSAGE,
    /** Data that waited for a buffer of the peer. */
    QUEUED,
    /** Data dropped because too many waited, or were on their way. */
    DROPPED_QUEUE_FULL,
    /** Data dropped because no buffer of the peer is large enough. */
    DROPPED_TOO_LONG,
    /** Data dropped because the connection was not open, or ended. */
    DROPPED_CLOSED,
    /** Data dropped because an unacknowledged channel can indicate them by immediate data only, and they do not fit. */
    DROPPED_NOT_INDICABLE,
    /** Transfers of the peer that were lost on an unacknowledged channel. */
    LOST,
    /** Indications that came after their pool was flushed. */
    LATE,
    /** Messages sent on both channels. */
    MESSAGES_SENT,
    /** Messages received on both channels. */
    MESSAGES_RECEIVED,
    /** Updates sent. */
    UPDATES_SENT,
    /** Elements that updates returned to the peer. */
    ELEMENTS_RETURNED,
    /** Requests for more buffers, sent. */
    GETS_SENT,
    /** Requests of the peer for more buffers that were granted. */
    GETS_GRANTED,
    /** Requests of the peer for more buffers that were not granted: a limit is reached. */
    GETS_IGNORED,
    /** Pools flushed, of both ends. */
    POOLS_FLUSHED,
    /** Reads of data of the peer, in the pull models. */
    READS
}
