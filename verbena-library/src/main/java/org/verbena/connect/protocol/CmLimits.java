package org.verbena.connect.protocol;

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
    /** Time within which an accepted connection must be established; after it the connection is given up. */
    public static final long ESTABLISH_MAX_NS = 120_000_000_000L;
    /** The longest time limit, about 36 years; a longer one counts as this. */
    public static final long TIME_LIMIT_MAX_NS = 1L << 60;

    private CmLimits() {}
}
