package org.verbena.connect.protocol;

/** Every bound of the communication manager, and what happens when it is reached. */
public final class CmLimits {
    /** Conversations of one adapter, those in timewait included; a request beyond is dropped, a connect refused. */
    public static final int CONVERSATIONS_MAX = 1 << 16;
    /** Services listened for at one adapter; one more is refused. */
    public static final int SERVICES_MAX = 1 << 13;
    /** Questions for the queue pair of a service at once; one more is refused. */
    public static final int RESOLUTIONS_MAX = 1 << 12;
    /** Requests that wait for {@code accept}; one more is dropped, as Linux does, and will be repeated by its sender. */
    public static final int BACKLOG_MAX = 1 << 12;

    private CmLimits() {}
}
