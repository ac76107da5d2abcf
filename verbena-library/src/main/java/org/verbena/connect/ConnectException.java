package org.verbena.connect;

import org.jspecify.annotations.Nullable;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.RejectReason;

/** A connection that did not come about, or a service that was not found. */
public final class ConnectException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why, in one word. */
    public enum Kind {
        /** The peer said no: {@link #reason} and {@link #privateData} say more. */
        REFUSED,
        /** No answer, or none in time. */
        TIMED_OUT,
        /** The reply can't be used with this queue pair. */
        UNFIT,
        /** The adapter was closed meanwhile, or the connection was. */
        CLOSED
    }

    private final Kind kind;
    private final int reason;
    private final transient PrivateData privateData;

    private ConnectException(
            Kind kind, String message, int reason, PrivateData privateData, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.reason = reason;
        this.privateData = privateData;
    }

    static ConnectException refused(String who, Rej rej) {
        RejectReason reason = RejectReason.of(rej.reason());
        String text = reason == null ? "unknown reason" : reason.text();
        return new ConnectException(
                Kind.REFUSED,
                who + " refused the connection: " + text + " (" + rej.reason() + ")",
                rej.reason(),
                rej.privateData(),
                null);
    }

    static ConnectException unresolved(String who, int status, PrivateData privateData) {
        return new ConnectException(
                Kind.REFUSED,
                who + " has no datagram service there (status " + status + ")",
                RejectReason.INVALID_SERVICE_ID.code(),
                privateData,
                null);
    }

    static ConnectException timedOut(String who) {
        return new ConnectException(Kind.TIMED_OUT, "no answer from " + who + " in time", 0, PrivateData.NONE, null);
    }

    static ConnectException unfit(String who, RuntimeException cause) {
        return new ConnectException(
                Kind.UNFIT, "what " + who + " offers does not fit: " + cause.getMessage(), 0, PrivateData.NONE, cause);
    }

    static ConnectException closed(String who) {
        return new ConnectException(
                Kind.CLOSED, "closed before the connection with " + who + " was made", 0, PrivateData.NONE, null);
    }

    public Kind kind() {
        return kind;
    }

    /** The peer's reason, or null if it gave none or one that is not in the standard. */
    public @Nullable RejectReason reason() {
        return RejectReason.of(reason);
    }

    /** What the peer's consumer sent with its refusal. */
    public PrivateData privateData() {
        return privateData;
    }
}
