package org.verbena.connect.protocol;

/** Every bound of the communication manager, and what happens when it is reached. */
public final class CmLimits {
    /** Conversations of one adapter, those in timewait included; a request beyond is dropped, a connect refused. */
    public static final int CONVERSATIONS_MAX = 1 << 16;
    /** Of these, conversations that peers may begin: the rest is for this end's own connects, whatever comes in. */
    public static final int CONVERSATIONS_INBOUND_MAX = CONVERSATIONS_MAX - (CONVERSATIONS_MAX >> 3);
    /** Services listened for at one adapter; one more is refused. */
    public static final int SERVICES_MAX = 1 << 13;
    /** Questions for the queue pair of a service at once; one more is refused. */
    public static final int RESOLUTIONS_MAX = 1 << 12;
    /** Requests that wait for {@code accept}; one more is dropped, as Linux does, and will be repeated by its sender. */
    public static final int BACKLOG_MAX = 1 << 12;

    /** Code of the shortest time an answer is waited for, 1 ms, whatever less a peer asks for. */
    public static final int RESPONSE_CODE_MIN = 8;
    /** Code of the longest time an answer is waited for, 69 s, whatever more a peer asks for. */
    public static final int RESPONSE_CODE_MAX = 24;
    /** Code of the longest life of a packet that is believed in, 4.3 s: timewait is twice as long. */
    public static final int LIFE_CODE_MAX = 20;
    /** Time within which an accepted connection must be established; then it is given up, however patient the peer. */
    public static final long ESTABLISH_MAX_NS = 120_000_000_000L;
    /** The longest time limit; a longer one counts as this. Nobody will see its end. */
    public static final long TIME_LIMIT_MAX_NS = 1L << 60;

    private CmLimits() {}
}
