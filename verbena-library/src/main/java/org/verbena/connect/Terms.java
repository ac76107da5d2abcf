package org.verbena.connect;

import java.time.Duration;
import org.verbena.link.Endpoint;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
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

    private Terms() {}

    /** What is known of the ends before a request is made. */
    record Ends(
            int localId,
            long guid,
            int queuePair,
            int psn,
            Endpoint local,
            Endpoint remote,
            long serviceId,
            int sourcePort) {}

    static Req request(Ends ends, QueuePair queuePair, ConnectorOptions options) {
        ConnectionOptions wish = options.connection();
        PrivateData data = options.privateData();
        return new Req(
                ends.localId(),
                ends.serviceId(),
                ends.guid(),
                0,
                ends.queuePair(),
                wish.inboundReads(),
                0,
                wish.outstandingReads(),
                0,
                options.responseTimeout(),
                transport(queuePair),
                wish.endToEndCredits(),
                ends.psn(),
                options.responseTimeout(),
                wish.retries(),
                wish.pkey(),
                mtu(queuePair.adapter(), wish).code(),
                false,
                wish.rnrRetries(),
                options.cmRetries(),
                queuePair.options().sharedReceives() != null,
                0,
                path(ends, ackCode(wish), options.trafficClass()),
                CmPath.NONE,
                ServiceId.isIp(ends.serviceId()) ? header(ends).before(data) : data);
    }

    /** The code of the queue pair's service, which both ends must have. */
    static int transport(QueuePair queuePair) {
        return switch (queuePair.options().service()) {
            case RC -> 0;
            case UC -> 1;
            case UD, RAW -> throw new IllegalArgumentException(queuePair + " has a datagram service and no connection");
        };
    }

    private static CmPath path(Ends ends, int ackCode, int trafficClass) {
        return new CmPath(
                CmPath.LID_PERMISSIVE,
                CmPath.LID_PERMISSIVE,
                Agent.gid(ends.local()),
                Agent.gid(ends.remote()),
                (ends.sourcePort() * 31 + ServiceId.port(ends.serviceId())) & 0xfffff,
                0,
                trafficClass,
                64,
                0,
                false,
                ackCode);
    }

    static IpCmHeader header(Ends ends) {
        return new IpCmHeader(
                ends.local().ipv6(), ends.sourcePort(), Agent.gid(ends.local()), Agent.gid(ends.remote()));
    }

    private static Mtu mtu(Adapter adapter, ConnectionOptions wish) {
        return wish.mtu().bytes() > adapter.mtuMax().bytes() ? adapter.mtuMax() : wish.mtu();
    }

    private static int ackCode(ConnectionOptions wish) {
        return wish.ackTimeout().isZero()
                ? AckTimeout.INFINITE
                : AckTimeout.atLeast(wish.ackTimeout().toNanos());
    }

    static Rep reply(int localId, Req req, long guid, QueuePair queuePair, int psn, AcceptOptions options) {
        ConnectionOptions agreed = accepted(req, options.connection());
        return new Rep(
                localId,
                req.localId(),
                0,
                queuePair.number(),
                0,
                psn,
                agreed.inboundReads(),
                agreed.outstandingReads(),
                ACK_DELAY,
                0,
                agreed.endToEndCredits(),
                options.connection().rnrRetries(),
                queuePair.options().sharedReceives() != null,
                guid,
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
                .withPkey(req.pkey());
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
