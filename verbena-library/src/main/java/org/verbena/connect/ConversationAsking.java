package org.verbena.connect;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.connect.protocol.Conversation;
import org.verbena.connect.protocol.Party;
import org.verbena.verbs.QueuePair;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/** A request that came by a conversation of the communication manager. It owns the conversation until it is answered. */
final class ConversationAsking implements Asking, Party {
    private final Agent agent;
    private final Conversation conversation;
    private final Req request;
    private volatile boolean gone;

    ConversationAsking(Agent agent, Conversation conversation, Req request) {
        this.agent = agent;
        this.conversation = conversation;
        this.request = request;
    }

    @Override
    public InetSocketAddress peer() {
        IpCmHeader header = header(request);
        return new InetSocketAddress(conversation.peer().address(), header == null ? 0 : header.sourcePort());
    }

    @Override
    public PrivateData privateData() {
        return privateData(request);
    }

    static PrivateData privateData(Req req) {
        return header(req) == null ? req.privateData() : req.privateData().from(IpCmHeader.LENGTH);
    }

    private static @Nullable IpCmHeader header(Req req) {
        return ServiceId.isIp(req.serviceId()) ? IpCmHeader.of(req.privateData()) : null;
    }

    @Override
    public long serviceId() {
        return request.serviceId();
    }

    @Override
    public @Nullable Mtu mtu() {
        return Mtu.of(request.paths().mtu());
    }

    @Override
    public int initiatorDepth() {
        return request.reads().initiatorDepth();
    }

    @Override
    public int responderResources() {
        return request.reads().responderResources();
    }

    @Override
    public int rejectionDataMax() {
        return Rej.PRIVATE_DATA_MAX;
    }

    /** The address that the request asks for. */
    Gid target() {
        IpCmHeader header = header(request);
        return header == null ? request.paths().primary().remote().gid() : header.target();
    }

    @Override
    public Connection accept(QueuePair queuePair, AcceptOptions options) {
        return ConversationEnd.accept(agent, conversation, queuePair, peer(), options);
    }

    @Override
    public void refuse(RejectReason reason, PrivateData data) {
        conversation.refuse(reason, PrivateData.NONE, data);
    }

    @Override
    public boolean isOpen() {
        return conversation.state() == Conversation.State.REQ_RECEIVED;
    }

    @Override
    public boolean isVoid() {
        return gone;
    }

    // --- the conversation, until the request is answered

    @Override
    public void onPeerRequest(Req again) {}

    @Override
    public void onReply(Rep reply) {}

    @Override
    public void onEstablished() {}

    @Override
    public void onRefused(Rej rejection) {
        gone = true;
    }

    @Override
    public void onTimedOut() {
        gone = true;
    }

    @Override
    public void onDisconnected() {
        gone = true;
    }

    @Override
    public void onClosed() {
        gone = true;
    }
}
