package org.verbena.link;

/** A source of events that end the sleep of the thread that drives it: a link, a stream, or a source of a consumer ({@code CompletionQueue.attach}). */
public interface WakeSource {
    /**
     * Names the sleeper that the driving thread waits in; the source registers its descriptors or channels there. Called once, before the
     * first sleep for it, by the driving thread or before that starts. A source that is never attached works all the same: its driver gives turns and does not sleep.
     *
     * @throws LinkException if the sleeper cannot watch this kind of source
     */
    void attach(Sleeper sleeper);

    /**
     * The last look before a sleep, by the driving thread. An event that becomes visible after this call ends the sleep: by a watched
     * descriptor or channel, or by {@link Sleeper#rouse}.
     *
     * @return the longest sleep allowed, in nanoseconds: 0 if there is an event already, {@link Long#MAX_VALUE} for no limit
     */
    long sleepMaxNs();
}
