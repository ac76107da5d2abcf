package org.verbena.connect.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.Answered;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.Drep;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.Mra;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.RejectReason;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.Rtu;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/** All conversations of one adapter, and which message is for which. */
public final class Conversations {
    private final Surroundings world;
    private final PrivateData guidBytes;
    private final int transactionHigh;
    private final Map<Integer, Conversation> byLocalId = new HashMap<>();
    private final Map<Remote, Conversation> byRemoteId = new HashMap<>();
    private final Map<Remote, Conversation> byRemoteQueuePair = new HashMap<>();
    private final Map<Remote, Conversation> peerToPeer = new HashMap<>();
    private final Map<Long, Acceptor> acceptors = new HashMap<>();
    private final Map<Long, DatagramService> datagramServices = new HashMap<>();
    private final Map<Integer, Resolution> resolutions = new HashMap<>();
    private boolean closed;

    public Conversations(Surroundings world) {
        this.world = world;
        this.guidBytes =
                PrivateData.of(ByteBuffer.allocate(8).putLong(world.guid()).array());
        this.transactionHigh = world.random();
    }

    // --- what consumers ask for

    /**
     * Asks a peer for a connection.
     *
     * @param request the message, made for the id it is given
     * @param meeting whether the peer asks as well, for the same service, and one connection shall come of both
     * @throws IllegalStateException when there are too many conversations
     */
    public Conversation connect(Endpoint peer, Party owner, IntFunction<Req> request, boolean meeting) {
        requireRoom(byLocalId.size(), CmLimits.CONVERSATIONS_MAX, "connections");
        int id = freeId();
        Req req = request.apply(id);
        Conversation conversation = begin(peer, id, Conversation.State.REQ_SENT);
        if (meeting) {
            peerToPeer.put(Remote.meetingPoint(peer, req.serviceId()), conversation);
        }
        conversation.ask(owner, req);
        return conversation;
    }

    /** From now on gives requests for a service to an acceptor; false if somebody else has it. */
    public boolean listen(long serviceId, Acceptor acceptor) {
        requireRoom(acceptors.size(), CmLimits.SERVICES_MAX, "listeners");
        return acceptors.putIfAbsent(serviceId, acceptor) == null;
    }

    public void stopListening(long serviceId, Acceptor acceptor) {
        acceptors.remove(serviceId, acceptor);
    }

    /** From now on answers who asks for a service's queue pair; false if somebody else does. */
    public boolean serve(long serviceId, DatagramService service) {
        requireRoom(datagramServices.size(), CmLimits.SERVICES_MAX, "datagram services");
        return datagramServices.putIfAbsent(serviceId, service) == null;
    }

    public void stopServing(long serviceId, DatagramService service) {
        datagramServices.remove(serviceId, service);
    }

    /** Asks a peer for a service's queue pair. */
    public Resolution resolve(
            Endpoint peer, IntFunction<SidrReq> request, Resolution.Asker asker, Resolution.Patience patience) {
        requireRoom(resolutions.size(), CmLimits.RESOLUTIONS_MAX, "questions for a service");
        int id = freeId();
        Resolution resolution = new Resolution(this, world, peer, request.apply(id), asker, patience);
        resolutions.put(id, resolution);
        resolution.ask();
        return resolution;
    }

    /** Conversations there are, those in timewait included. */
    public int count() {
        return byLocalId.size();
    }

    /** Everything remembered, of any kind: zero when nothing is going on. */
    public int remembered() {
        return byLocalId.size()
                + byRemoteId.size()
                + byRemoteQueuePair.size()
                + peerToPeer.size()
                + acceptors.size()
                + datagramServices.size()
                + resolutions.size();
    }

    /** The adapter closes: says goodbye where somebody waits, and forgets everything. */
    public void close() {
        closed = true;
        new ArrayList<>(byLocalId.values()).forEach(Conversation::close);
        new ArrayList<>(resolutions.values()).forEach(Resolution::close);
        new ArrayList<>(acceptors.values()).forEach(Acceptor::onClosed);
        byLocalId.clear();
        byRemoteId.clear();
        byRemoteQueuePair.clear();
        peerToPeer.clear();
        acceptors.clear();
        datagramServices.clear();
        resolutions.clear();
    }

    private void requireRoom(int found, int most, String what) {
        if (closed) {
            throw new IllegalStateException("the adapter is closed");
        }
        if (found >= most) {
            throw new IllegalStateException("the adapter has all the " + what + " it can have: " + most);
        }
    }

    // --- what peers say

    /** A datagram of the communication manager's class. */
    public void receive(Endpoint source, MemorySegment mad) {
        CmMessage message = CmMessage.read(mad, 0);
        if (message == null) {
            world.count(Counter.CM_UNMATCHED);
            return;
        }
        long transaction = Mad.read(mad, 0).transactionId();
        switch (message) {
            case Req req -> onRequest(source, req, transaction);
            case SidrReq req -> onResolution(source, req, transaction);
            case SidrRep rep -> onResolved(source, rep);
            case Dreq dreq -> onDisconnect(source, dreq, transaction);
            default -> onAnswer(source, message, transaction);
        }
    }

    /** Messages that make sense within a conversation only. */
    private void onAnswer(Endpoint source, CmMessage message, long transaction) {
        Conversation meant = switch (message) {
            case Rep rep -> find(source, rep.remoteId());
            case Mra mra when mra.answered() == Answered.REQ -> find(source, mra.remoteId());
            case Mra mra -> find(source, mra.remoteId(), mra.localId());
            case Rej rej -> rejected(source, rej);
            case Rtu rtu -> find(source, rtu.remoteId(), rtu.localId());
            case Drep drep -> find(source, drep.remoteId(), drep.localId());
            default -> null; // alternate paths: not with RoCE, as Linux
        };
        if (meant == null) {
            world.count(Counter.CM_UNMATCHED);
            if (message instanceof Rep rep) {
                refuse(source, rep, transaction);
            }
            return;
        }
        switch (message) {
            case Rep rep -> meant.onReply(rep);
            case Mra mra -> meant.onMoreTime(mra);
            case Rej rej -> meant.onRejection(rej);
            case Rtu rtu -> meant.onReady();
            case Drep drep -> meant.onDisconnectReply();
            default -> {}
        }
    }

    /** A yes to a question that nobody here remembers: without an answer it would be repeated for a minute. */
    private void refuse(Endpoint source, Rep rep, long transaction) {
        int ours = rep.remoteId();
        int theirs = rep.localId();
        RejectReason reason = RejectReason.INVALID_COMMUNICATION_ID;
        world.send(source, Rej.of(ours, theirs, Answered.REP, reason, PrivateData.NONE), transaction);
    }

    private void onRequest(Endpoint source, Req req, long transaction) {
        Conversation known = byRemoteId.get(Remote.of(source, req.localId()));
        if (known != null) {
            known.onRepeatedRequest();
            return;
        }
        Conversation meeting = peerToPeer.get(Remote.meetingPoint(source, req.serviceId()));
        if (meeting != null) {
            meeting.onPeerRequest(req, transaction);
            return;
        }
        Conversation stale = byRemoteQueuePair.get(
                Remote.queuePair(source, req.end().guid(), req.end().queuePair()));
        if (stale != null) {
            // The peer uses the queue pair anew: it has forgotten a connection that this end still believes in.
            refuse(source, req, transaction, RejectReason.STALE_CONNECTION);
            stale.stale();
            return;
        }
        Acceptor acceptor = acceptors.get(req.serviceId());
        if (acceptor == null) {
            refuse(source, req, transaction, RejectReason.INVALID_SERVICE_ID);
        } else if (byLocalId.size() >= CmLimits.CONVERSATIONS_INBOUND_MAX || !acceptor.hasRoom()) {
            world.count(Counter.CM_BACKLOG_DROPS); // in silence, as Linux: the peer will ask again
        } else {
            Conversation conversation = begin(source, freeId(), Conversation.State.REQ_RECEIVED);
            conversation.asked(req, transaction);
            know(conversation);
            acceptor.onRequest(conversation, req);
        }
    }

    private void refuse(Endpoint source, Req req, long transaction, RejectReason reason) {
        world.send(source, Rej.of(0, req.localId(), Answered.REQ, reason, PrivateData.NONE), transaction);
    }

    private void onDisconnect(Endpoint source, Dreq dreq, long transaction) {
        Conversation meant = find(source, dreq.remoteId(), dreq.localId());
        if (meant != null) {
            meant.onDisconnectRequest(dreq, transaction);
        } else {
            // Over and forgotten here: the peer only wants to hear so.
            world.count(Counter.CM_DUPLICATES);
            int ours = dreq.remoteId();
            int theirs = dreq.localId();
            world.send(source, new Drep(ours, theirs, PrivateData.NONE), transaction);
        }
    }

    private void onResolution(Endpoint source, SidrReq req, long transaction) {
        DatagramService service = datagramServices.get(req.serviceId());
        SidrRep answer = new SidrRep(
                req.requestId(),
                service == null ? SidrRep.UNSUPPORTED : SidrRep.VALID,
                0,
                service == null ? 0 : service.queuePair(),
                req.serviceId(),
                service == null ? 0 : service.qkey(),
                PrivateData.NONE,
                service == null ? PrivateData.NONE : service.privateData());
        world.send(source, answer, transaction);
    }

    private void onResolved(Endpoint source, SidrRep rep) {
        Resolution meant = resolutions.get(rep.requestId());
        if (meant != null && sameAddress(meant.peer(), source)) {
            meant.onAnswer(rep);
        } else {
            world.count(Counter.CM_UNMATCHED);
        }
    }

    /** The conversation that has this id here, if it is the sender's: for answers to a request, the first that has an id of theirs. */
    private @Nullable Conversation find(Endpoint source, int ours) {
        Conversation found = byLocalId.get(ours);
        return found != null && sameAddress(found.peer(), source) ? found : null;
    }

    /** The conversation that has these ids, here and there. */
    private @Nullable Conversation find(Endpoint source, int ours, int theirs) {
        Conversation found = find(source, ours);
        return found != null && found.remoteId() == theirs ? found : null;
    }

    /** Who gave up may never have heard this end's id: then its own tells. */
    private @Nullable Conversation rejected(Endpoint source, Rej rej) {
        if (rej.reason() == RejectReason.TIMEOUT.code()) {
            Conversation found = byRemoteId.get(Remote.of(source, rej.localId()));
            if (found != null) {
                return found;
            }
        }
        return rej.answered() == Answered.REQ
                ? find(source, rej.remoteId())
                : find(source, rej.remoteId(), rej.localId());
    }

    private static boolean sameAddress(Endpoint one, Endpoint other) {
        return one.address().equals(other.address());
    }

    // --- what conversations ask for

    private Conversation begin(Endpoint peer, int id, Conversation.State state) {
        Conversation conversation = new Conversation(this, world, peer, id, state);
        byLocalId.put(id, conversation);
        return conversation;
    }

    private int freeId() {
        int id = world.random();
        while (id == 0 || byLocalId.containsKey(id) || resolutions.containsKey(id)) {
            id = world.random();
        }
        return id;
    }

    /** Of a transaction that this end begins: the id with its bytes turned round, as on the machines Linux runs on. */
    long transactionId(int localId) {
        return (long) transactionHigh << 32 | (Integer.reverseBytes(localId) & 0xffff_ffffL);
    }

    PrivateData guidBytes() {
        return guidBytes;
    }

    /** Remembers what the peer calls it; false, and nothing remembered, if the peer's queue pair is in another one. */
    boolean know(Conversation conversation) {
        Conversation other = byRemoteQueuePair.putIfAbsent(conversation.remoteQueuePair(), conversation);
        if (other != null && other != conversation) {
            other.stale();
            return false;
        }
        byRemoteId.put(Remote.of(conversation.peer(), conversation.remoteId()), conversation);
        return true;
    }

    void forgetQueuePair(Conversation conversation) {
        byRemoteQueuePair.remove(conversation.remoteQueuePair(), conversation);
    }

    void forget(Conversation conversation) {
        byLocalId.remove(conversation.localId());
        byRemoteId.remove(Remote.of(conversation.peer(), conversation.remoteId()), conversation);
        forgetQueuePair(conversation);
    }

    void forget(Resolution resolution) {
        resolutions.remove(resolution.requestId());
    }

    boolean isPeerToPeer(Conversation conversation) {
        return peerToPeer.containsValue(conversation);
    }

    void forgetPeerToPeer(Conversation conversation) {
        if (!peerToPeer.isEmpty()) {
            peerToPeer.values().remove(conversation);
        }
    }
}
