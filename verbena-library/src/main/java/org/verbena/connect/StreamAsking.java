package org.verbena.connect;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.link.stream.StreamFailure;
import org.verbena.time.WheelTimer;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.StreamPort;
import org.verbena.wire.mad.ServiceId;

/** A request that came by a stream of iWARP. It owns the opening until it is answered. */
final class StreamAsking implements Asking, StreamPort.OpeningEnd {
    private final Agent agent;
    private final StreamIntake intake;
    private final StreamPort.Opening opening;
    private final InetSocketAddress peer;
    private final PrivateData privateData;
    private final int initiatorDepth;
    private final int responderResources;
    private final int port;
    private final WheelTimer limit = new WheelTimer(nowNs -> onLimit());
    private volatile boolean gone;

    /** @param port that of the listener */
    StreamAsking(Agent agent, StreamIntake intake, StreamPort.Opening opening, int port) {
        this.agent = agent;
        this.intake = intake;
        this.opening = opening;
        this.peer = new InetSocketAddress(
                opening.remote().address(), opening.remote().port());
        this.privateData = opening.peerData();
        this.initiatorDepth = opening.peerOutstandingReads();
        this.responderResources = opening.peerInboundReads();
        this.port = port;
        agent.schedule(limit, agent.nowNs() + CmLimits.ANSWER_MAX_NS);
    }

    @Override
    public InetSocketAddress peer() {
        return peer;
    }

    @Override
    public PrivateData privateData() {
        return privateData;
    }

    @Override
    public long serviceId() {
        return ServiceId.tcp(port);
    }

    @Override
    public @Nullable Mtu mtu() {
        return null;
    }

    @Override
    public int initiatorDepth() {
        return initiatorDepth;
    }

    @Override
    public int responderResources() {
        return responderResources;
    }

    @Override
    public int rejectionDataMax() {
        return AcceptOptions.PRIVATE_DATA_MAX;
    }

    @Override
    public Connection accept(QueuePair queuePair, AcceptOptions options) {
        Connection accepted = StreamEnd.accept(agent, opening, queuePair, peer, options);
        answered();
        return accepted;
    }

    @Override
    public void refuse(RejectReason reason, PrivateData data) {
        opening.reject(data);
        answered(); // the listener counts requests without an answer
    }

    private void answered() {
        agent.cancel(limit);
        intake.onRoom();
    }

    @Override
    public boolean isOpen() {
        return opening.isRequest();
    }

    @Override
    public boolean isVoid() {
        return gone;
    }

    private void onLimit() {
        gone = true;
        opening.abandon();
        intake.onRoom();
    }

    // --- the opening, until the request is answered

    @Override
    public void onAgreed(StreamPort.Agreed agreed) {}

    @Override
    public void onRejected(PrivateData data) {}

    @Override
    public void onFailed(StreamFailure why, String detail) {
        gone = true;
        answered();
    }
}
