package org.verbena.connect;

import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.RemoteMemory;

/**
 * Options for accepting a request. Immutable; the {@code with} methods give changed copies.
 *
 * @param connection options of this end. MTU, retries and times come from the request; of the limits of reads the lesser counts
 * @param privateData for the peer's consumer, at most 196 bytes over RoCEv2, 508 over iWARP; checked when the request is accepted
 * @param memory memory handed over to the peer, in front of the private data; null: none. It takes {@value
 *     RemoteMemory#ENCODED_LENGTH} bytes of their room. {@link Connection#memory} of the peer gives it
 * @param data data at connect for the peer's consumer, at most {@link Connection#DATA_MAX_BYTES} bytes; null: no exchange of data. Both
 *     ends need the option: see {@link #withData}
 */
public record AcceptOptions(
        ConnectionOptions connection,
        PrivateData privateData,
        @Nullable RemoteMemory memory,
        @Nullable PrivateData data) {
    /** Bytes of private data that any wire carries at most: iWARP. */
    static final int PRIVATE_DATA_MAX = 508;

    /** {@link ConnectionOptions#DEFAULT}, no private data. */
    public static final AcceptOptions DEFAULT =
            new AcceptOptions(ConnectionOptions.DEFAULT, PrivateData.NONE, null, null);

    /** @throws IllegalArgumentException if the private data or the data at connect are too long */
    public AcceptOptions {
        requireDataRoom(data);
        requireRoom(before(memory, privateData), PRIVATE_DATA_MAX);
    }

    /** What the reply carries to the peer's consumer: the memory handed over, and the private data. */
    PrivateData handedOver() {
        return before(memory, privateData);
    }

    /** Private data with the descriptor of memory in front, if there is one. */
    static PrivateData before(@Nullable RemoteMemory memory, PrivateData data) {
        return memory == null ? data : data.after(PrivateData.of(memory.encode()));
    }

    static void requireRoom(PrivateData data, int room) {
        if (data.length() > room) {
            throw new IllegalArgumentException("private data of at most " + room
                    + " bytes expected, with memory that is handed over; found " + data.length());
        }
    }

    static void requireDataRoom(@Nullable PrivateData data) {
        if (data != null && data.length() > Connection.DATA_MAX_BYTES) {
            throw new IllegalArgumentException("data at connect of at most " + Connection.DATA_MAX_BYTES
                    + " bytes expected; found " + data.length());
        }
    }

    /** The same with other options of the connection. */
    public AcceptOptions withConnection(ConnectionOptions other) {
        return new AcceptOptions(other, privateData, memory, data);
    }

    /**
     * The same with other private data.
     *
     * @throws IllegalArgumentException if the data are longer than 508 bytes
     */
    public AcceptOptions withPrivateData(PrivateData other) {
        return new AcceptOptions(connection, other, memory, data);
    }

    /**
     * The same with memory that is handed over to the peer; null: none. Both ends may hand over memory.
     *
     * @throws IllegalArgumentException if the private data leave no room for it
     */
    public AcceptOptions withMemory(@Nullable RemoteMemory own) {
        return new AcceptOptions(connection, privateData, own, data);
    }

    /**
     * The same with data at connect for the peer's consumer; null: none. The ends exchange them before the connection is established,
     * and {@link Connection#peerData} gives those of the peer. The peer needs {@link ConnectorOptions#withData} too, with data or with
     * {@link PrivateData#NONE}; otherwise the connection fails. Only Verbena knows data at connect.
     *
     * @throws IllegalArgumentException if the data are longer than {@link Connection#DATA_MAX_BYTES}
     */
    public AcceptOptions withData(@Nullable PrivateData own) {
        return new AcceptOptions(connection, privateData, memory, own);
    }
}
