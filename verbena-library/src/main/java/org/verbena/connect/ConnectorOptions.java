package org.verbena.connect;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.ServiceId;

/**
 * Options for asking for a connection. Immutable; the {@code with} methods give changed copies.
 *
 * @param connection options of this end; the peer may lower the limits of reads, and chooses the RNR retries
 * @param privateData for the peer's consumer, at most 56 bytes with a port, 92 with a {@link #serviceId}; to resolve a
 *     datagram service at most 180 and 216; over iWARP at most 508. Checked when the connection is asked for
 * @param timeLimit from the first message to the established connection; at most {@link CmLimits#TIME_LIMIT_MAX_NS}
 * @param responseTimeout code of the time within which each end answers a message, see {@link AckTimeout}; 20 means 4.3 s
 * @param cmRetries repetitions of a message without an answer, 0 … 15
 * @param sourcePort port that the request states as its source; 0: a random one
 * @param serviceId service id in place of that of a port; 0: that of the port. Only service ids of ports have an IP header
 * @param peerToPeer whether the peer connects to the same port of this end as well, and both requests make one connection
 * @param peerPort over RoCEv2, UDP port at which the peer's adapter receives; 0: the one at which this end's adapter receives, which is 4791
 *     unless it was opened with another. Not the port of the listener
 * @param memory memory handed over to the peer, in front of the private data; null: none. It takes {@value
 *     RemoteMemory#ENCODED_LENGTH} bytes of their room. {@link ConnectionRequest#memory} of the peer gives it
 * @param data data at connect for the peer's consumer, at most {@link Connection#DATA_MAX_BYTES} bytes; null: no exchange of data. Both
 *     ends need the option: see {@link #withData}. Not to resolve a datagram service
 */
public record ConnectorOptions(
        ConnectionOptions connection,
        PrivateData privateData,
        Duration timeLimit,
        int responseTimeout,
        int cmRetries,
        int sourcePort,
        long serviceId,
        boolean peerToPeer,
        int peerPort,
        @Nullable RemoteMemory memory,
        @Nullable PrivateData data) {
    private static final Duration TIME_LIMIT_MAX = Duration.ofNanos(CmLimits.TIME_LIMIT_MAX_NS);

    /** The times of rdma_cm on Linux: an acknowledgement within 0.5 s, answers within 4.3 s, 15 retries; a limit of 30 s. */
    public static final ConnectorOptions DEFAULT = new ConnectorOptions(
            ConnectionOptions.DEFAULT, PrivateData.NONE, Duration.ofSeconds(30), 20, 15, 0, 0, false, 0, null, null);

    /** @throws IllegalArgumentException if a value is out of range; the message names it. A longer time limit is cut */
    public ConnectorOptions {
        require("responseTimeout", responseTimeout, AckTimeout.LARGEST);
        require("cmRetries", cmRetries, 15);
        require("sourcePort", sourcePort, 0xffff);
        require("peerPort", peerPort, 0xffff);
        AcceptOptions.requireDataRoom(data);
        AcceptOptions.requireRoom(privateData, AcceptOptions.PRIVATE_DATA_MAX);
        if (timeLimit.isNegative()) {
            throw new IllegalArgumentException("timeLimit must not be negative; found " + timeLimit);
        }
        timeLimit = timeLimit.compareTo(TIME_LIMIT_MAX) < 0 ? timeLimit : TIME_LIMIT_MAX;
    }

    /** Refuses private data that are longer than their field. */
    void requireRoomIn(int field) {
        AcceptOptions.requireRoom(handedOver(), room(serviceId, field));
    }

    /** What the request carries to the peer's consumer: the memory handed over, and the private data. */
    PrivateData handedOver() {
        return AcceptOptions.before(memory, privateData);
    }

    private static int room(long serviceId, int field) {
        return serviceId == 0 || ServiceId.isIp(serviceId) ? field - IpCmHeader.LENGTH : field;
    }

    private static void require(String what, int found, int most) {
        if (found < 0 || found > most) {
            throw new IllegalArgumentException(what + " must be 0 … " + most + "; found " + found);
        }
    }

    /** The same with other options of the connection. */
    public ConnectorOptions withConnection(ConnectionOptions other) {
        return with(draft -> draft.connection = other);
    }

    /** The same with other private data. */
    public ConnectorOptions withPrivateData(PrivateData data) {
        return with(draft -> draft.privateData = data);
    }

    /** The same with another time limit. */
    public ConnectorOptions withTimeLimit(Duration limit) {
        return with(draft -> draft.timeLimit = limit);
    }

    /** The same with other repetitions of messages: their number, and the code of the time between them. */
    public ConnectorOptions withRetries(int retries, int timeoutCode) {
        return with(draft -> {
            draft.cmRetries = retries;
            draft.responseTimeout = timeoutCode;
        });
    }

    /** The same with another source port; 0: a random one. */
    public ConnectorOptions withSourcePort(int port) {
        return with(draft -> draft.sourcePort = port);
    }

    /** The same with a service id in place of that of the port; 0: that of the port. */
    public ConnectorOptions withServiceId(long id) {
        return with(draft -> draft.serviceId = id);
    }

    /** The same, with the peer connecting as well or not. */
    public ConnectorOptions withPeerToPeer(boolean on) {
        return with(draft -> draft.peerToPeer = on);
    }

    /**
     * The same with the UDP port at which the peer's adapter receives. Two adapters at one address need it, and an adapter whose port
     * the system chose.
     *
     * @param port that of {@link org.verbena.verbs.Adapter#endpoint} of the peer's adapter; 0: the same as that of this end's adapter
     * @throws IllegalArgumentException if it has more than 16 bits
     */
    public ConnectorOptions withPeerPort(int port) {
        return with(draft -> draft.peerPort = port);
    }

    /** The same with memory that is handed over to the peer; null: none. Both ends may hand over memory. */
    public ConnectorOptions withMemory(@Nullable RemoteMemory own) {
        return with(draft -> draft.memory = own);
    }

    /**
     * The same with data at connect for the peer's consumer; null: none. The ends exchange them before the connection is established,
     * within the time limit, and {@link Connection#peerData} gives those of the peer. The peer needs {@link AcceptOptions#withData} too,
     * with data or with {@link PrivateData#NONE}; otherwise the connection fails. Only Verbena knows data at connect.
     *
     * @throws IllegalArgumentException if the data are longer than {@link Connection#DATA_MAX_BYTES}
     */
    public ConnectorOptions withData(@Nullable PrivateData own) {
        return with(draft -> draft.data = own);
    }

    private ConnectorOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** A copy being changed. */
    private static final class Draft {
        private ConnectionOptions connection;
        private PrivateData privateData;
        private Duration timeLimit;
        private int responseTimeout;
        private int cmRetries;
        private int sourcePort;
        private long serviceId;
        private boolean peerToPeer;
        private int peerPort;
        private @Nullable RemoteMemory memory;
        private @Nullable PrivateData data;

        private Draft(ConnectorOptions from) {
            connection = from.connection;
            privateData = from.privateData;
            timeLimit = from.timeLimit;
            responseTimeout = from.responseTimeout;
            cmRetries = from.cmRetries;
            sourcePort = from.sourcePort;
            serviceId = from.serviceId;
            peerToPeer = from.peerToPeer;
            peerPort = from.peerPort;
            memory = from.memory;
            data = from.data;
        }

        private ConnectorOptions finish() {
            return new ConnectorOptions(
                    connection,
                    privateData,
                    timeLimit,
                    responseTimeout,
                    cmRetries,
                    sourcePort,
                    serviceId,
                    peerToPeer,
                    peerPort,
                    memory,
                    data);
        }
    }
}
