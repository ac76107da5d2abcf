package org.verbena.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.connect.protocol.Acceptor;
import org.verbena.connect.protocol.Conversation;
import org.verbena.link.Endpoint;
import org.verbena.verbs.Adapter;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/** Takes requests from the communication manager, and refuses those that no consumer can accept. */
final class ConversationIntake implements RequestIntake, Acceptor {
    private static final int TRANSPORT_UC = 1;

    private final Listener listener;
    private final Agent agent;
    private long serviceId;

    ConversationIntake(Listener listener, Agent agent) {
        this.listener = listener;
        this.agent = agent;
    }

    @Override
    public InetSocketAddress open(InetSocketAddress at, ListenerOptions options) {
        if (options.serviceId() != 0 || at.getPort() != 0) {
            serviceId = options.serviceId() != 0 ? options.serviceId() : ServiceId.tcp(at.getPort());
            if (!agent.conversations().listen(serviceId, this)) {
                throw new IllegalStateException("port " + at.getPort() + " is taken");
            }
            return at;
        }
        int port = agent.ephemeralPort();
        while (!agent.conversations().listen(ServiceId.tcp(port), this)) {
            port = agent.ephemeralPort();
        }
        serviceId = ServiceId.tcp(port);
        return new InetSocketAddress(at.getAddress(), port);
    }

    @Override
    public void onTaken() {} // the next request of each peer is judged when it comes

    @Override
    public void close() {
        agent.conversations().stopListening(serviceId, this);
    }

    @Override
    public boolean hasRoom() {
        return listener.hasRoom();
    }

    @Override
    public void onRequest(Conversation conversation, Req req) {
        ConversationAsking asking = new ConversationAsking(agent, conversation, req);
        conversation.owner(asking);
        Adapter adapter = listener.adapter();
        Mtu mtu = Mtu.of(req.paths().mtu());
        if (req.transport().service() > TRANSPORT_UC || req.transport().extended() != 0) {
            conversation.refuse(RejectReason.INVALID_TRANSPORT, PrivateData.NONE, PrivateData.NONE);
        } else if (mtu == null || mtu.bytes() > adapter.mtuMax().bytes()) {
            PrivateData best = PrivateData.of((byte) adapter.mtuMax().code());
            conversation.refuse(RejectReason.INVALID_MTU, best, PrivateData.NONE);
        } else if (!isMeant(asking)) {
            conversation.refuse(RejectReason.INVALID_SERVICE_ID, PrivateData.NONE, PrivateData.NONE);
        } else if (Agent.partition(adapter, req.paths().pkey()) < 0) {
            conversation.refuse(RejectReason.UNSUPPORTED, PrivateData.NONE, PrivateData.NONE);
        } else if (!Agent.gid(conversation.peer())
                .equals(req.paths().primary().local().gid())) {
            conversation.refuse(RejectReason.PRIMARY_GID, PrivateData.NONE, PrivateData.NONE);
        } else {
            listener.onRequest(new ConnectionRequest(agent, asking));
        }
    }

    /** Whether the request is for the address of the listener. */
    private boolean isMeant(ConversationAsking asking) {
        InetAddress own = listener.address().getAddress();
        return own.isAnyLocalAddress() || Agent.gid(new Endpoint(own, 0)).equals(asking.target());
    }

    @Override
    public void onClosed() {
        listener.shut();
    }
}
