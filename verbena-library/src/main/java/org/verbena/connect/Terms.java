package org.verbena.connect;

import java.time.Duration;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.link.Endpoint;
import org.verbena.time.Durations;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.Route;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.mad.CmEnd;
import org.verbena.wire.mad.CmPath;
import org.verbena.wire.mad.CmReads;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/**
 * The parameters of a connection: from the options of a consumer to messages, and from messages to a queue pair. Each end
 * chooses the sequence number with which the <em>other</em> end begins to send, and the RNR retries of the other end.
 */
final class Terms {
    /** Code of the time this adapter may take to acknowledge: the same as that of rxe. */
    static final int ACK_DELAY = 15;

    private static final int FLOW_LABEL_MASK = 0xf_ffff;

    private Terms() {}

    /**
     * This end of a connection, for a request and for a reply.
     *
     * @param end the queue pair, as messages describe it
     * @param transport code of the queue pair's service; both ends must have the same
     * @param mtuMax the largest MTU of the adapter's link
     */
    record Local(CmEnd end, int transport, Mtu mtuMax) {
        /** @param psn sequence number of the first packet that the peer sends */
        static Local of(QueuePair queuePair, long guid, int psn) {
            boolean shared = queuePair.options().sharedReceives() != null;
            return new Local(
                    new CmEnd(guid, queuePair.number(), 0, 0, psn, shared),
                    transportOf(queuePair),
                    queuePair.adapter().mtuMax());
        }
    }

    /** The two ports of a request, and the service. */
    record Way(Endpoint local, Endpoint remote, long serviceId, int sourcePort) {
        IpCmHeader header() {
            return new IpCmHeader(local.ipv6(), sourcePort, Agent.gid(local), Agent.gid(remote));
        }

        /** The private data of a message: those of the consumer, behind the header that service ids of ports have. */
        PrivateData with(PrivateData own) {
            return ServiceId.isIp(serviceId) ? header().before(own) : own;
        }
    }

    static Req request(int localId, Local local, Way way, ConnectorOptions options) {
        ConnectionOptions wish = options.connection();
        return new Req(
                localId,
                way.serviceId(),
                local.end(),
                new CmReads(wish.inboundReads(), wish.outstandingReads()),
                Req.Transport.of(local.transport()),
                new Req.Timing(options.responseTimeout(), options.responseTimeout(), options.cmRetries()),
                new Req.Delivery(wish.retries(), wish.rnrRetries(), wish.endToEndCredits()),
                Req.Paths.of(
                        wish.pkey(),
                        Math.min(wish.mtu().code(), local.mtuMax().code()),
                        path(way, ackCode(wish), wish.route())),
                way.with(options.handedOver()));
    }

    static int transportOf(QueuePair queuePair) {
        return switch (queuePair.options().service()) {
            case RC -> 0;
            case UC -> 1;
            case UD, RAW ->
                throw new IllegalArgumentException(queuePair + " has no connections: it is of service "
                        + queuePair.options().service());
        };
    }

    private static CmPath path(Way way, int ackCode, Route route) {
        int ofPorts = (way.sourcePort() * 31 + ServiceId.port(way.serviceId())) & FLOW_LABEL_MASK;
        return new CmPath(
                CmPath.Port.of(Agent.gid(way.local())),
                CmPath.Port.of(Agent.gid(way.remote())),
                route.flowLabel() != 0 ? route.flowLabel() : ofPorts,
                0,
                route.trafficClass(),
                route.hopLimit(),
                route.serviceLevel(),
                false,
                ackCode);
    }

    private static int ackCode(ConnectionOptions wish) {
        return wish.ackTimeout().isZero()
                ? AckTimeout.INFINITE
                : AckTimeout.atLeast(Durations.toNanos(wish.ackTimeout()));
    }

    static Rep reply(int localId, Req req, Local local, AcceptOptions options) {
        ConnectionOptions agreed = accepted(req, options.connection());
        return new Rep(
                localId,
                req.localId(),
                local.end(),
                new CmReads(agreed.inboundReads(), agreed.outstandingReads()),
                ACK_DELAY,
                0,
                agreed.endToEndCredits(),
                options.connection().rnrRetries(),
                options.handedOver());
    }

    /** Options for the queue pair of the end that accepts. */
    static ConnectionOptions accepted(Req req, ConnectionOptions wish) {
        Mtu mtu = Mtu.of(req.paths().mtu());
        if (mtu == null) {
            throw new IllegalArgumentException(
                    "the request has no MTU with code " + req.paths().mtu());
        }
        return wish.withMtu(mtu)
                .withReads(
                        Math.min(wish.outstandingReads(), req.reads().responderResources()),
                        Math.min(wish.inboundReads(), req.reads().initiatorDepth()))
                .withRetries(
                        req.delivery().retries(), ackTime(req.paths().primary().ackTimeout()))
                .withRnr(req.delivery().rnrRetries(), wish.rnrTimer())
                .withPeerRnrRetries(wish.rnrRetries())
                .withEndToEndCredits(wish.endToEndCredits() && req.delivery().flowControl())
                .withPkey(req.paths().pkey())
                .withRoute(route(req.paths().primary(), wish.route()));
    }

    /** The route back: that of the request, but for the congestion marks, which are this end's own. */
    private static Route route(CmPath path, Route wish) {
        return wish.withServiceLevel(path.serviceLevel())
                .withTrafficClass(path.trafficClass())
                .withHopLimit(path.hopLimit() == 0 ? wish.hopLimit() : path.hopLimit());
    }

    /** Options for the queue pair of the end that asked. */
    static ConnectionOptions replied(Req req, Rep rep, ConnectionOptions wish) {
        Mtu mtu = Mtu.of(req.paths().mtu());
        assert mtu != null : "our own request has an MTU";
        int life = Math.max(0, req.paths().primary().ackTimeout() - 1);
        int code = req.paths().primary().ackTimeout() == 0 ? 0 : ackTimeout(rep.ackDelay(), life);
        return wish.withMtu(mtu)
                .withReads(
                        Math.min(wish.outstandingReads(), rep.reads().responderResources()),
                        Math.min(wish.inboundReads(), rep.reads().initiatorDepth()))
                .withRetries(wish.retries(), ackTime(code))
                .withRnr(rep.rnrRetries(), wish.rnrTimer())
                .withPeerRnrRetries(wish.rnrRetries())
                .withEndToEndCredits(wish.endToEndCredits() && rep.flowControl())
                .withPkey(req.paths().pkey());
    }

    /**
     * Code of the time an acknowledgement may take: the delay of the peer's adapter and twice the life of a packet, rounded to a
     * power of two. The larger of both counts; one step more if the lesser is at least half of it.
     */
    static int ackTimeout(int ackDelay, int life) {
        int ways = life + 1;
        int larger = Math.max(ways, ackDelay);
        int lesser = Math.min(ways, ackDelay);
        return Math.min(AckTimeout.LARGEST, lesser >= larger - 1 ? larger + 1 : larger);
    }

    private static Duration ackTime(int code) {
        return code == AckTimeout.INFINITE ? Duration.ZERO : Duration.ofNanos(AckTimeout.nanoseconds(code));
    }

    /** Brings the queue pair from INIT to RTS. */
    static void apply(QueuePair queuePair, ConnectionOptions agreed, QueuePairAddress peer, int startingPsn) {
        queuePair.readyToReceive(peer, agreed);
        queuePair.readyToSend(agreed, startingPsn & Psn.MASK);
    }
}
