package org.verbena.connect;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.link.Endpoint;
import org.verbena.wire.mad.DataAnswer;
import org.verbena.wire.mad.Rej;

/** A connection was not made, or a datagram service was not found. */
public final class ConnectFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Kinds of failure. */
    public enum Kind {
        /**
         * The peer rejected the request, and {@link #reason} and {@link #privateData} come from the peer; or the network, or the peer
         * without a reason of the standard.
         */
        REFUSED,
        /** No answer came in time. */
        TIMED_OUT,
        /** The peer's message does not fit this queue pair; the cause says why. */
        UNFIT,
        /** The adapter, the listener or the connection was closed. */
        CLOSED
    }

    private final Kind kind;
    private final int reason;
    private final transient PrivateData privateData;

    private ConnectFailedException(
            Kind kind, String message, int reason, PrivateData privateData, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.reason = reason;
        this.privateData = privateData;
    }

    static ConnectFailedException refused(String peer, Rej rej) {
        RejectReason reason = RejectReason.of(rej.reason());
        String text = reason == null ? "unknown reason" : reason.text();
        String words = words(rej.privateData());
        return new ConnectFailedException(
                Kind.REFUSED,
                peer + " refused the connection: " + text + " (" + rej.reason() + ")"
                        + (words.isEmpty() ? "" : ": " + words),
                rej.reason(),
                rej.privateData(),
                null);
    }

    /** The peer's consumer has rejected the request, over iWARP: without a reason. */
    static ConnectFailedException rejected(String peer, PrivateData data) {
        String words = words(data);
        return new ConnectFailedException(
                Kind.REFUSED,
                peer + " refused the connection: " + RejectReason.CONSUMER.text()
                        + (words.isEmpty() ? "" : ": " + words),
                RejectReason.CONSUMER.code(),
                data,
                null);
    }

    /** @param detail what was found, for people */
    static ConnectFailedException noStream(String peer, String detail) {
        return new ConnectFailedException(
                Kind.REFUSED, "no connection with " + peer + ": " + detail, 0, PrivateData.NONE, null);
    }

    /** The peer's private data if they are printable ASCII; otherwise nothing. */
    private static String words(PrivateData data) {
        byte[] bytes = data.trimmed().bytes();
        for (byte each : bytes) {
            if (each < ' ' || each > '~') {
                return "";
            }
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    static ConnectFailedException unresolved(String peer, int status, PrivateData privateData) {
        return new ConnectFailedException(
                Kind.REFUSED,
                peer + " has no datagram service there (status " + status + ")",
                RejectReason.INVALID_SERVICE_ID.code(),
                privateData,
                null);
    }

    /** @param tried what this end did, for people */
    static ConnectFailedException timedOut(String peer, String tried) {
        return new ConnectFailedException(
                Kind.TIMED_OUT, "no answer from " + peer + " in time: " + tried, 0, PrivateData.NONE, null);
    }

    /** The request went to the adapter that sent it, which has no such listener. */
    static ConnectFailedException refusedByItself(String peer, Endpoint itself, int reason) {
        return new ConnectFailedException(
                Kind.REFUSED,
                "the request for " + peer + " went to UDP port " + itself.port() + " of "
                        + itself.address().getHostAddress()
                        + ", which is this adapter itself, and it has no listener there. Name the UDP port of the peer's adapter:"
                        + " ConnectorOptions.withPeerPort",
                reason,
                PrivateData.NONE,
                null);
    }

    /** The network has told that no adapter receives at the peer's UDP port. */
    static ConnectFailedException unreachable(String peer, Endpoint remote) {
        return new ConnectFailedException(
                Kind.REFUSED,
                "no adapter receives at UDP port " + remote.port() + " of "
                        + remote.address().getHostAddress() + ": the request for " + peer
                        + " came back (ICMP: port unreachable). If the adapter there receives at another UDP port, name it:"
                        + " ConnectorOptions.withPeerPort",
                0,
                PrivateData.NONE,
                null);
    }

    /** The peer has given its request up, or the time to answer it is over. */
    static ConnectFailedException isVoid(String peer) {
        return new ConnectFailedException(
                Kind.TIMED_OUT,
                "the request of " + peer + " is void: the peer gave it up, or it had no answer for "
                        + Math.ceilDiv(CmLimits.ANSWER_MAX_NS, 1_000_000_000) + " s",
                0,
                PrivateData.NONE,
                null);
    }

    /** The peer does not take data at connect. */
    static ConnectFailedException dataRefused(String peer, int status) {
        String reason = switch (status) {
            case DataAnswer.UNWANTED ->
                "its consumer has not asked for them. Both ends need withData, of ConnectorOptions and of"
                        + " AcceptOptions; PrivateData.NONE if one end has no data";
            case DataAnswer.TOO_LONG -> "they are longer than it can take";
            default -> "its adapter does not know them (status 0x" + Integer.toHexString(status) + ")";
        };
        return new ConnectFailedException(
                Kind.REFUSED, peer + " does not take data at connect: " + reason, 0, PrivateData.NONE, null);
    }

    /**
     * The connection was made, but data at connect were not exchanged.
     *
     * @param tried what this end did, for people
     */
    static ConnectFailedException dataTimedOut(String peer, String tried) {
        return new ConnectFailedException(
                Kind.TIMED_OUT,
                "the data at connect were not exchanged with " + peer + " in time: " + tried
                        + ". Only Verbena knows data at connect; leave withData out for other peers",
                0,
                PrivateData.NONE,
                null);
    }

    /** The peer has ended the connection while data at connect were exchanged. */
    static ConnectFailedException ended(String peer, String progress) {
        return new ConnectFailedException(
                Kind.REFUSED,
                peer + " ended the connection before the data at connect were exchanged: " + progress,
                0,
                PrivateData.NONE,
                null);
    }

    static ConnectFailedException unfit(String peer, RuntimeException cause) {
        return new ConnectFailedException(
                Kind.UNFIT,
                "the parameters of " + peer + " do not fit: " + cause.getMessage(),
                0,
                PrivateData.NONE,
                cause);
    }

    static ConnectFailedException broken(String peer) {
        return new ConnectFailedException(
                Kind.CLOSED,
                "the queue pair failed before the connection with " + peer + " was made",
                0,
                PrivateData.NONE,
                null);
    }

    static ConnectFailedException closed(String peer) {
        return new ConnectFailedException(
                Kind.CLOSED, "closed before the connection with " + peer + " was made", 0, PrivateData.NONE, null);
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }

    /** The peer's reason; null if the peer gave none, or one that is not in the standard. */
    public @Nullable RejectReason reason() {
        return RejectReason.of(reason);
    }

    /** The private data of the peer's rejection; empty if there is none. */
    public PrivateData privateData() {
        return privateData;
    }
}
