package org.verbena.connect.protocol;

import org.verbena.wire.ib.AckTimeout;

/** All bounds of the communication manager, each with the effect of reaching it. */
public final class CmLimits {
    /** Conversations of one adapter, those in timewait included; a request beyond is dropped, a connect refused. */
    public static final int CONVERSATIONS_MAX = 1 << 16;
    /** Of these, conversations begun by peers; the rest is reserved for this end's own connects. */
    public static final int CONVERSATIONS_INBOUND_MAX = CONVERSATIONS_MAX - (CONVERSATIONS_MAX >> 3);
    /** Services listened for at one adapter; one more is refused. */
    public static final int SERVICES_MAX = 1 << 13;
    /** Open questions for the queue pair of a service; one more is refused. */
    public static final int RESOLUTIONS_MAX = 1 << 12;
    /** Requests that wait for {@code accept}; one more is dropped, as on Linux, and its sender repeats it. */
    public static final int BACKLOG_MAX = 1 << 12;

    /** Code of the shortest time an answer is waited for, 1 ms; a shorter one that a peer asks for counts as this. */
    public static final int RESPONSE_CODE_MIN = 8;
    /** Code of the longest time an answer is waited for, 69 s; a longer one that a peer asks for counts as this. */
    public static final int RESPONSE_CODE_MAX = 24;
    /** Code of the longest life of a packet, 4.3 s; a longer one counts as this. Timewait is twice as long. */
    public static final int LIFE_CODE_MAX = 20;
    /** Code of the time within which a consumer must answer a request, 69 s as on Linux; after it the request is void. */
    public static final int ANSWER_CODE = 24;
    /** The same time. */
    public static final long ANSWER_MAX_NS = AckTimeout.nanoseconds(ANSWER_CODE);
    /** Time within which an accepted connection must be established; after it the connection is given up. */
    public static final long ESTABLISH_MAX_NS = 120_000_000_000L;
    /** The longest time limit, about 36 years; a longer one counts as this. */
    public static final long TIME_LIMIT_MAX_NS = 1L << 60;

    /** The longest data at connect of one end; longer ones are refused, at this end by an exception, of a peer by an answer. */
    public static final int DATA_MAX_BYTES = 1 << 16;
    /** Data at connect that may be arriving at one adapter, by their stated lengths; the pieces of more are dropped, and their sender repeats them. */
    public static final int DATA_ARRIVING_MAX_BYTES = 1 << 26;
    /** Pieces of data at connect that are sent before an answer; more wait for it. */
    public static final int DATA_BURST_MAX = 32;
    /** Time after which a piece is repeated the first time; each repetition doubles it. */
    public static final long DATA_RETRY_FIRST_NS = 20_000_000;
    /** The longest time after which a piece is repeated. */
    public static final long DATA_RETRY_LONGEST_NS = 500_000_000;
    /** Repetitions without an answer, about 15 s; after them the connection is given up. */
    public static final int DATA_RETRIES_MAX = 32;

    private CmLimits() {}
}
