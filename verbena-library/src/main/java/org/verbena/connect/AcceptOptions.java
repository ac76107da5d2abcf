package org.verbena.connect;

import java.time.Duration;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.Rep;

/**
 * How a request is accepted. Immutable; the {@code with} methods give changed copies.
 *
 * @param connection what this end wishes: MTU, retries and times are those of the request, reads the lesser of both
 * @param privateData for the peer's consumer, at most 196 bytes
 */
public record AcceptOptions(ConnectionOptions connection, PrivateData privateData) {
    /** With the acknowledgement timeout of rdma_cm on Linux, which the peer is told. */
    static final ConnectionOptions CONNECTION =
            ConnectionOptions.DEFAULT.withRetries(7, Duration.ofNanos(AckTimeout.nanoseconds(17)));

    public static final AcceptOptions DEFAULT = new AcceptOptions(CONNECTION, PrivateData.NONE);

    public AcceptOptions {
        requireRoom(privateData, Rep.PRIVATE_DATA_MAX);
    }

    static void requireRoom(PrivateData data, int room) {
        if (data.length() > room) {
            throw new IllegalArgumentException(
                    "private data of at most " + room + " bytes expected; found " + data.length());
        }
    }

    public AcceptOptions withConnection(ConnectionOptions other) {
        return new AcceptOptions(other, privateData);
    }

    public AcceptOptions withPrivateData(PrivateData data) {
        return new AcceptOptions(connection, data);
    }
}
