package org.verbena.connect;

import java.time.Duration;
import org.verbena.PrivateData;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.ServiceId;
import org.verbena.wire.mad.SidrReq;

/**
 * Options for asking for a connection. Immutable; the {@code with} methods give changed copies.
 *
 * @param connection options of this end; the peer may lower the limits of reads, and chooses the RNR retries
 * @param privateData for the peer's consumer, at most 56 bytes with a port, 92 with a {@link #serviceId}; to resolve a
 *     datagram service at most 180 and 216
 * @param timeLimit from the first message to the established connection; at most {@link CmLimits#TIME_LIMIT_MAX_NS}
 * @param responseTimeout code of the time within which each end answers a message, see {@link AckTimeout}; 20 means 4.3 s
 * @param cmRetries repetitions of a message without an answer, 0 … 15
 * @param sourcePort port that the request states as its source; 0: a random one
 * @param serviceId service id in place of that of a port; 0: that of the port. Only service ids of ports have an IP header
 * @param peerToPeer whether the peer connects to the same port of this end as well, and both requests make one connection
 */
public record ConnectorOptions(
        ConnectionOptions connection,
        PrivateData privateData,
        Duration timeLimit,
        int responseTimeout,
        int cmRetries,
        int sourcePort,
        long serviceId,
        boolean peerToPeer) {
    private static final Duration TIME_LIMIT_MAX = Duration.ofNanos(CmLimits.TIME_LIMIT_MAX_NS);

    /** The times of rdma_cm on Linux: an acknowledgement within 0.5 s, answers within 4.3 s, 15 retries; a limit of 30 s. */
    public static final ConnectorOptions DEFAULT = new ConnectorOptions(
            AcceptOptions.CONNECTION, PrivateData.NONE, Duration.ofSeconds(30), 20, 15, 0, 0, false);

    /** @throws IllegalArgumentException if a value is out of range; the message names it. A longer time limit is cut */
    public ConnectorOptions {
        require("responseTimeout", responseTimeout, AckTimeout.LARGEST);
        require("cmRetries", cmRetries, 15);
        require("sourcePort", sourcePort, 0xffff);
        AcceptOptions.requireRoom(privateData, room(serviceId, SidrReq.PRIVATE_DATA_MAX));
        if (timeLimit.isNegative()) {
            throw new IllegalArgumentException("timeLimit must not be negative; found " + timeLimit);
        }
        timeLimit = timeLimit.compareTo(TIME_LIMIT_MAX) < 0 ? timeLimit : TIME_LIMIT_MAX;
    }

    /** Refuses private data that are longer than their field. */
    void requireRoomIn(int field) {
        AcceptOptions.requireRoom(privateData, room(serviceId, field));
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
        return new ConnectorOptions(
                other, privateData, timeLimit, responseTimeout, cmRetries, sourcePort, serviceId, peerToPeer);
    }

    /** The same with other private data. */
    public ConnectorOptions withPrivateData(PrivateData data) {
        return new ConnectorOptions(
                connection, data, timeLimit, responseTimeout, cmRetries, sourcePort, serviceId, peerToPeer);
    }

    /** The same with another time limit. */
    public ConnectorOptions withTimeLimit(Duration limit) {
        return new ConnectorOptions(
                connection, privateData, limit, responseTimeout, cmRetries, sourcePort, serviceId, peerToPeer);
    }

    /** The same with other repetitions of messages: their number, and the code of the time between them. */
    public ConnectorOptions withRetries(int retries, int timeoutCode) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, timeoutCode, retries, sourcePort, serviceId, peerToPeer);
    }

    /** The same with another source port; 0: a random one. */
    public ConnectorOptions withSourcePort(int port) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, responseTimeout, cmRetries, port, serviceId, peerToPeer);
    }

    /** The same with a service id in place of that of the port; 0: that of the port. */
    public ConnectorOptions withServiceId(long id) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, responseTimeout, cmRetries, sourcePort, id, peerToPeer);
    }

    /** The same, with the peer connecting as well or not. */
    public ConnectorOptions withPeerToPeer(boolean on) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, responseTimeout, cmRetries, sourcePort, serviceId, on);
    }
}
