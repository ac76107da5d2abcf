package org.verbena.connect;

import java.time.Duration;
import org.verbena.link.Endpoint;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.Route;
import org.verbena.wire.ib.AckTimeout;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.mad.CmPath;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/**
 * What both ends agree on: from wishes to messages, and from messages to a queue pair. Sequence numbers travel the other
 * way round than one might think: each end says with which one the <em>other</em> shall begin.
 */
final class Terms {
    /** Code of the time this adapter may take to acknowledge: what rxe says. */
    static final int ACK_DELAY = 15;

    private static final int FLOW_LABEL_MASK = 0xf_ffff;

    private Terms() {}

    /**
     * This end, whatever it asks or answers.
     *
     * @param transport code of the queue pair's service, which both ends must have
     * @param mtuMax the largest MTU of the adapter's link
     * @param guid of the adapter
     * @param psn with which the peer shall begin
     */
    record Local(int queuePair, int transport, boolean sharedReceives, Mtu mtuMax, long guid, int psn) {
        static Local of(QueuePair queuePair, long guid, int psn) {
            return new Local(
                    queuePair.number(),
                    transportOf(queuePair),
                    queuePair.options().sharedReceives() != null,
                    queuePair.adapter().mtuMax(),
                    guid,
                    psn);
        }
    }

    /** From where to where a request goes. */
    record Way(Endpoint local, Endpoint remote, long serviceId, int sourcePort) {
        IpCmHeader header() {
            return new IpCmHeader(local.ipv6(), sourcePort, Agent.gid(local), Agent.gid(remote));
        }

        /** What a consumer wants to say, behind what the port space wants said. */
        PrivateData with(PrivateData own) {
            return ServiceId.isIp(serviceId) ? header().before(own) : own;
        }
    }

    static Req request(int localId, Local local, Way way, ConnectorOptions options) {
        ConnectionOptions wish = options.connection();
        return new Req(
                localId,
                way.serviceId(),
                local.guid(),
                0,
                local.queuePair(),
                wish.inboundReads(),
                0,
                wish.outstandingReads(),
                0,
                options.responseTimeout(),
                local.transport(),
                wish.endToEndCredits(),
                local.psn(),
                options.responseTimeout(),
                wish.retries(),
                wish.pkey(),
                Math.min(wish.mtu().code(), local.mtuMax().code()),
                false,
                wish.rnrRetries(),
                options.cmRetries(),
                local.sharedReceives(),
                0,
                path(way, ackCode(wish), wish.route()),
                CmPath.NONE,
                way.with(options.privateData()));
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
                CmPath.LID_PERMISSIVE,
                CmPath.LID_PERMISSIVE,
                Agent.gid(way.local()),
                Agent.gid(way.remote()),
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
                : AckTimeout.atLeast(wish.ackTimeout().toNanos());
    }

    static Rep reply(int localId, Req req, Local local, AcceptOptions options) {
        ConnectionOptions agreed = accepted(req, options.connection());
        return new Rep(
                localId,
                req.localId(),
                0,
                local.queuePair(),
                0,
                local.psn(),
                agreed.inboundReads(),
                agreed.outstandingReads(),
                ACK_DELAY,
                0,
                agreed.endToEndCredits(),
                options.connection().rnrRetries(),
                local.sharedReceives(),
                local.guid(),
                options.privateData());
    }

    /** What the one who was asked does with its queue pair. */
    static ConnectionOptions accepted(Req req, ConnectionOptions wish) {
        Mtu mtu = Mtu.of(req.mtu());
        if (mtu == null) {
            throw new IllegalArgumentException("the request has no MTU with code " + req.mtu());
        }
        return wish.withMtu(mtu)
                .withReads(
                        Math.min(wish.outstandingReads(), req.responderResources()),
                        Math.min(wish.inboundReads(), req.initiatorDepth()))
                .withRetries(req.retries(), ackTime(req.primary().ackTimeout()))
                .withRnr(req.rnrRetries(), wish.rnrTimer())
                .withEndToEndCredits(wish.endToEndCredits() && req.flowControl())
                .withPkey(req.pkey())
                .withRoute(route(req.primary(), wish.route()));
    }

    /** The way back is like the way here: only marks for congestion are this end's own. */
    private static Route route(CmPath path, Route wish) {
        return wish.withServiceLevel(path.serviceLevel())
                .withTrafficClass(path.trafficClass())
                .withHopLimit(path.hopLimit() == 0 ? wish.hopLimit() : path.hopLimit());
    }

    /** What the one who asked does with its queue pair. */
    static ConnectionOptions replied(Req req, Rep rep, ConnectionOptions wish) {
        Mtu mtu = Mtu.of(req.mtu());
        assert mtu != null : "our own request has an MTU";
        int life = Math.max(0, req.primary().ackTimeout() - 1);
        int code = req.primary().ackTimeout() == 0 ? 0 : ackTimeout(rep.ackDelay(), life);
        return wish.withMtu(mtu)
                .withReads(
                        Math.min(wish.outstandingReads(), rep.responderResources()),
                        Math.min(wish.inboundReads(), rep.initiatorDepth()))
                .withRetries(wish.retries(), ackTime(code))
                .withRnr(rep.rnrRetries(), wish.rnrTimer())
                .withEndToEndCredits(wish.endToEndCredits() && rep.flowControl())
                .withPkey(req.pkey());
    }

    /**
     * Code of the time an acknowledgement may take: that of the peer's adapter and twice the way, rounded to a power of
     * two. The larger of both counts, and a step more only if the lesser is at least half of it.
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
    static void apply(QueuePair queuePair, ConnectionOptions agreed, QueuePairAddress peer, int psnOfPeersChoice) {
        queuePair.readyToReceive(peer, agreed);
        queuePair.readyToSend(agreed, psnOfPeersChoice & Bth.QUEUE_PAIR_MASK);
    }
}
