package org.verbena.connect;

import java.time.Duration;
import org.verbena.PrivateData;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.mad.Rep;

/**
 * Options for accepting a request. Immutable; the {@code with} methods give changed copies.
 *
 * @param connection options of this end. MTU, retries and times come from the request; of the limits of reads the lesser counts
 * @param privateData for the peer's consumer, at most 196 bytes
 */
public record AcceptOptions(ConnectionOptions connection, PrivateData privateData) {
    /** The default of connections, with the acknowledgement timeout of rdma_cm on Linux. */
    static final ConnectionOptions CONNECTION =
            ConnectionOptions.DEFAULT.withRetries(7, Duration.ofNanos(AckTimeout.nanoseconds(17)));

    /** An acknowledgement timeout of 0.5 s as rdma_cm on Linux has, 7 retries, no private data. */
    public static final AcceptOptions DEFAULT = new AcceptOptions(CONNECTION, PrivateData.NONE);

    /** @throws IllegalArgumentException if the private data are too long */
    public AcceptOptions {
        requireRoom(privateData, Rep.PRIVATE_DATA_MAX);
    }

    static void requireRoom(PrivateData data, int room) {
        if (data.length() > room) {
            throw new IllegalArgumentException(
                    "private data of at most " + room + " bytes expected; found " + data.length());
        }
    }

    /** The same with other options of the connection. */
    public AcceptOptions withConnection(ConnectionOptions other) {
        return new AcceptOptions(other, privateData);
    }

    /**
     * The same with other private data.
     *
     * @throws IllegalArgumentException if the data are longer than 196 bytes
     */
    public AcceptOptions withPrivateData(PrivateData data) {
        return new AcceptOptions(connection, data);
    }
}
