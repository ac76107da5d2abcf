package org.verbena.connect;

import java.time.Duration;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.ServiceId;
import org.verbena.wire.mad.SidrReq;

/**
 * How a connection is asked for. Immutable; the {@code with} methods give changed copies.
 *
 * @param connection what this end wishes: the peer has a say in the MTU, in reads and in retries
 * @param privateData for the peer's consumer, at most 56 bytes with a port, 92 with a {@link #serviceId}; to resolve a
 *     datagram service at most 180 and 216
 * @param timeLimit for the whole; longer than {@link CmLimits#TIME_LIMIT_MAX_NS} counts as that
 * @param responseTimeout code of the time within which each end answers a message, {@link AckTimeout}; 20: 4.3 s
 * @param cmRetries how often a message without an answer is repeated, 0 … 15
 * @param sourcePort the port this end says to come from; 0: any
 * @param serviceId a service that is no port's; 0: the port's. No IP header goes with it
 * @param peerToPeer whether the peer connects as well, to the same port here, and one connection shall come of both
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

    /** As rdma_cm on Linux does: an acknowledgement within 0.5 s, answers within 4.3 s, 15 retries; 30 s in all. */
    public static final ConnectorOptions DEFAULT = new ConnectorOptions(
            AcceptOptions.CONNECTION, PrivateData.NONE, Duration.ofSeconds(30), 20, 15, 0, 0, false);

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

    /** Refuses private data that a message would have to cut. */
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

    public ConnectorOptions withConnection(ConnectionOptions other) {
        return new ConnectorOptions(
                other, privateData, timeLimit, responseTimeout, cmRetries, sourcePort, serviceId, peerToPeer);
    }

    public ConnectorOptions withPrivateData(PrivateData data) {
        return new ConnectorOptions(
                connection, data, timeLimit, responseTimeout, cmRetries, sourcePort, serviceId, peerToPeer);
    }

    public ConnectorOptions withTimeLimit(Duration limit) {
        return new ConnectorOptions(
                connection, privateData, limit, responseTimeout, cmRetries, sourcePort, serviceId, peerToPeer);
    }

    public ConnectorOptions withRetries(int retries, int timeoutCode) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, timeoutCode, retries, sourcePort, serviceId, peerToPeer);
    }

    public ConnectorOptions withSourcePort(int port) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, responseTimeout, cmRetries, port, serviceId, peerToPeer);
    }

    public ConnectorOptions withServiceId(long id) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, responseTimeout, cmRetries, sourcePort, id, peerToPeer);
    }

    public ConnectorOptions withPeerToPeer(boolean on) {
        return new ConnectorOptions(
                connection, privateData, timeLimit, responseTimeout, cmRetries, sourcePort, serviceId, on);
    }
}
