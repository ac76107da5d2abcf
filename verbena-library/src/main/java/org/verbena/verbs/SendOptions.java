package org.verbena.verbs;

/**
 * How a request of the send queue is treated. Immutable; the {@code with} methods give changed copies.
 *
 * @param signalled whether it gets a completion when it succeeds; when it fails it always gets one
 * @param fence whether it begins only after all earlier reads and atomics of the queue pair are done
 * @param solicited whether its completion at the receiver wakes {@link CompletionQueue#awaitSolicited}
 */
public record SendOptions(boolean signalled, boolean fence, boolean solicited) {
    /** Signalled, without fence, not solicited. */
    public static final SendOptions SIGNALLED = new SendOptions(true, false, false);
    /** Not signalled, without fence, not solicited. */
    public static final SendOptions UNSIGNALLED = new SendOptions(false, false, false);

    /** A copy with a fence. */
    public SendOptions withFence() {
        return new SendOptions(signalled, true, solicited);
    }

    /** A copy that is solicited. */
    public SendOptions withSolicited() {
        return new SendOptions(signalled, fence, true);
    }
}
