package org.verbena.verbs;

/**
 * How a request of the send queue is treated.
 *
 * @param signalled it gets a completion when it succeeds; when it fails it always gets one
 * @param fence it is not begun before all earlier reads and atomics are done
 * @param solicited its receiver is woken even if it waits for solicited completions only
 */
public record SendOptions(boolean signalled, boolean fence, boolean solicited) {
    /** Signalled, nothing else. */
    public static final SendOptions SIGNALLED = new SendOptions(true, false, false);
    /** Nothing at all. */
    public static final SendOptions UNSIGNALLED = new SendOptions(false, false, false);

    public SendOptions withFence() {
        return new SendOptions(signalled, true, solicited);
    }

    public SendOptions withSolicited() {
        return new SendOptions(signalled, fence, true);
    }
}
