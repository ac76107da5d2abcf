package org.verbena.connect.protocol;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.link.Endpoint;
import org.verbena.trace.Counter;
import org.verbena.wire.mad.Answered;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.DataAnswer;
import org.verbena.wire.mad.DataMessage;
import org.verbena.wire.mad.DataPiece;
import org.verbena.wire.mad.Drep;
import org.verbena.wire.mad.Dreq;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.Mra;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.Rtu;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/** The communication manager of one adapter: takes what consumers ask for, and gives each message to its conversation. */
public final class Conversations {
    private final Surroundings world;
    private final Identity identity;
    private final ConversationTable table = new ConversationTable();
    private final Resolutions resolutions;
    private final Map<Long, Acceptor> acceptors = new HashMap<>();
    private boolean closed;

    public Conversations(Surroundings world) {
        this.world = world;
        this.identity = new Identity(world);
        this.resolutions = new Resolutions(world);
    }

    // --- calls of consumers

    /**
     * Asks a peer for a connection.
     *
     * @param owner told what becomes of it
     * @param request makes the message for a given local id
     * @param meeting whether the peer asks as well, for the same service, and both requests make one connection
     * @throws IllegalStateException if the adapter is closed or has {@link CmLimits#CONVERSATIONS_MAX} conversations
     */
    public Conversation connect(Endpoint peer, Party owner, IntFunction<Req> request, boolean meeting) {
        requireRoom(table.size(), CmLimits.CONVERSATIONS_MAX, "connections");
        int id = freeId();
        Req req = request.apply(id);
        Conversation conversation = begin(peer, id, Conversation.State.REQ_SENT);
        if (meeting) {
            table.addPeerToPeer(conversation, req.serviceId());
        }
        conversation.ask(owner, req);
        return conversation;
    }

    /**
     * Gives requests for a service to an acceptor from now on.
     *
     * @return false if the service has an acceptor
     * @throws IllegalStateException if the adapter is closed or has {@link CmLimits#SERVICES_MAX} listeners
     */
    public boolean listen(long serviceId, Acceptor acceptor) {
        requireRoom(acceptors.size(), CmLimits.SERVICES_MAX, "listeners");
        return acceptors.putIfAbsent(serviceId, acceptor) == null;
    }

    /** The opposite of {@link #listen}. Does nothing if the service has another acceptor. */
    public void stopListening(long serviceId, Acceptor acceptor) {
        acceptors.remove(serviceId, acceptor);
    }

    /**
     * Answers questions for the queue pair of a service from now on.
     *
     * @return false if the service has an answer
     * @throws IllegalStateException if the adapter is closed or has {@link CmLimits#SERVICES_MAX} datagram services
     */
    public boolean serve(long serviceId, DatagramService service) {
        requireRoom(resolutions.services(), CmLimits.SERVICES_MAX, "datagram services");
        return resolutions.serve(serviceId, service);
    }

    /** The opposite of {@link #serve}. Does nothing if the service has another answer. */
    public void stopServing(long serviceId, DatagramService service) {
        resolutions.stopServing(serviceId, service);
    }

    /**
     * Asks a peer for the queue pair of a service.
     *
     * @param request makes the message for a given request id
     * @param asker told the answer
     * @throws IllegalStateException if the adapter is closed or has {@link CmLimits#RESOLUTIONS_MAX} open questions
     */
    public Resolution resolve(
            Endpoint peer, IntFunction<SidrReq> request, Resolution.Asker asker, Resolution.Patience patience) {
        requireRoom(resolutions.open(), CmLimits.RESOLUTIONS_MAX, "questions for a service");
        SidrReq req = request.apply(freeId());
        long transactionId = identity.transactionId(req.requestId());
        Resolution resolution = new Resolution(resolutions, world, peer, req, transactionId, asker, patience);
        resolutions.ask(resolution);
        return resolution;
    }

    /** Number of conversations, those in timewait included. */
    public int count() {
        return table.size();
    }

    /** Number of all entries of all tables, and bytes of data that are arriving: zero when nothing is going on. */
    public int remembered() {
        return table.entries()
                + acceptors.size()
                + resolutions.services()
                + resolutions.open()
                + table.dataRoom().reserved();
    }

    /** The adapter closes: ends every conversation, tells every owner, acceptor and asker, and forgets everything. */
    public void close() {
        closed = true;
        table.all().forEach(Conversation::close);
        resolutions.close();
        new ArrayList<>(acceptors.values()).forEach(Acceptor::onClosed);
        table.clear();
        acceptors.clear();
    }

    private void requireRoom(int found, int most, String what) {
        if (closed) {
            throw new IllegalStateException("the adapter is closed");
        }
        if (found >= most) {
            throw new IllegalStateException("the adapter has all the " + what + " it can have: " + most);
        }
    }

    private Conversation begin(Endpoint peer, int id, Conversation.State state) {
        Conversation conversation = new Conversation(table, identity, world, peer, id, state);
        table.add(conversation);
        return conversation;
    }

    private int freeId() {
        int id = world.random();
        while (id == 0 || table.hasId(id) || resolutions.hasId(id)) {
            id = world.random();
        }
        return id;
    }

    // --- messages of peers

    /** Takes a datagram of the communication manager's class, or of data at connect. Its content may be anything. */
    public void receive(Endpoint source, MemorySegment mad) {
        if (Mad.managementClass(mad, 0) == Mad.CLASS_DATA) {
            receiveData(source, mad);
            return;
        }
        CmMessage message = CmMessage.read(mad, 0);
        if (message == null) {
            world.count(Counter.CM_UNMATCHED);
            return;
        }
        long transaction = Mad.read(mad, 0).transactionId();
        switch (message) {
            case Req req -> onRequest(source, req, transaction);
            case SidrReq req -> resolutions.onRequest(source, req, transaction);
            case SidrRep rep -> resolutions.onAnswer(source, rep);
            case Dreq dreq -> onDisconnect(source, dreq, transaction);
            default -> onAnswer(source, message, transaction);
        }
    }

    private void receiveData(Endpoint source, MemorySegment mad) {
        DataMessage message = DataMessage.read(mad, 0);
        if (message == null) {
            world.count(Counter.CM_UNMATCHED);
            return;
        }
        Conversation found = find(source, message);
        if (found == null) {
            world.count(Counter.CM_UNMATCHED);
            return;
        }
        switch (message) {
            case DataPiece piece -> found.onPiece(piece);
            case DataAnswer answer -> found.onAnswer(answer);
        }
    }

    /** The conversation that a message of data at connect belongs to. It names the owner of the data first, piece or answer. */
    private @Nullable Conversation find(Endpoint source, DataMessage message) {
        int owner = message.part().ownerId();
        int receiver = message.part().receiverId();
        return switch (message) {
            case DataPiece _ -> table.find(source, receiver, owner);
            case DataAnswer _ -> table.find(source, owner, receiver);
        };
    }

    private void onRequest(Endpoint source, Req req, long transaction) {
        Conversation known = table.findByRemoteId(source, req.localId());
        if (known != null) {
            known.onRepeatedRequest();
            return;
        }
        Conversation meeting = table.findPeerToPeer(source, req.serviceId());
        if (meeting != null) {
            meeting.onPeerRequest(req, transaction);
            return;
        }
        Conversation stale =
                table.findByQueuePair(source, req.end().guid(), req.end().queuePair());
        if (stale != null) {
            // The peer uses its queue pair anew, so it has forgotten the connection that this end still has.
            refuse(source, req, transaction, RejectReason.STALE_CONNECTION);
            stale.abandon();
            return;
        }
        Acceptor acceptor = acceptors.get(req.serviceId());
        if (acceptor == null) {
            refuse(source, req, transaction, RejectReason.INVALID_SERVICE_ID);
        } else if (table.size() >= CmLimits.CONVERSATIONS_INBOUND_MAX || !acceptor.hasRoom()) {
            world.count(Counter.CM_BACKLOG_DROPS); // without an answer, as Linux: the peer repeats the request
        } else {
            Conversation conversation = begin(source, freeId(), Conversation.State.REQ_RECEIVED);
            conversation.asked(req, transaction);
            table.know(conversation);
            acceptor.onRequest(conversation, req);
        }
    }

    private void refuse(Endpoint source, Req req, long transaction, RejectReason reason) {
        world.send(source, Rej.of(0, req.localId(), Answered.REQ, reason, PrivateData.NONE), transaction);
    }

    /** A message that has a meaning only within a conversation. */
    private void onAnswer(Endpoint source, CmMessage message, long transaction) {
        Conversation found = find(source, message);
        if (found == null) {
            world.count(Counter.CM_UNMATCHED);
            if (message instanceof Rep rep) {
                refuse(source, rep, transaction);
            }
            return;
        }
        switch (message) {
            case Rep rep -> found.onReply(rep);
            case Mra mra -> found.onMoreTime(mra);
            case Rej rej -> found.onRejection(rej);
            case Rtu _ -> found.onReady();
            case Drep _ -> found.onDisconnectReply();
            default -> {}
        }
    }

    /** The conversation that an answer belongs to. The answer to a request is the first message with an id of the peer's. */
    private @Nullable Conversation find(Endpoint source, CmMessage message) {
        return switch (message) {
            case Rep rep -> table.find(source, rep.remoteId());
            case Mra mra when mra.answered() == Answered.REQ -> table.find(source, mra.remoteId());
            case Mra mra -> table.find(source, mra.remoteId(), mra.localId());
            case Rej rej -> findRejected(source, rej);
            case Rtu rtu -> table.find(source, rtu.remoteId(), rtu.localId());
            case Drep drep -> table.find(source, drep.remoteId(), drep.localId());
            default -> null; // alternate paths do not exist with RoCE, as on Linux
        };
    }

    /**
     * A peer that gives up because of a timeout may not know this end's id; its own id then names the conversation. The peer of an
     * established connection knows both ids, and must name both: one id alone could be guessed by a sender of forged messages.
     */
    private @Nullable Conversation findRejected(Endpoint source, Rej rej) {
        if (rej.reason() == RejectReason.TIMEOUT.code()) {
            Conversation found = table.findByRemoteId(source, rej.localId());
            if (found != null && found.isUnknownToPeer()) {
                return found;
            }
        }
        return rej.answered() == Answered.REQ
                ? table.find(source, rej.remoteId())
                : table.find(source, rej.remoteId(), rej.localId());
    }

    /** Refuses a reply to a request that is forgotten here. Without an answer the peer would repeat it for a minute. */
    private void refuse(Endpoint source, Rep rep, long transaction) {
        int ours = rep.remoteId();
        int theirs = rep.localId();
        RejectReason reason = RejectReason.INVALID_COMMUNICATION_ID;
        world.send(source, Rej.of(ours, theirs, Answered.REP, reason, PrivateData.NONE), transaction);
    }

    private void onDisconnect(Endpoint source, Dreq dreq, long transaction) {
        Conversation found = table.find(source, dreq.remoteId(), dreq.localId());
        if (found != null) {
            found.onDisconnectRequest(dreq, transaction);
        } else {
            // The connection is forgotten here. The reply tells the peer that it is over.
            world.count(Counter.CM_DUPLICATES);
            int ours = dreq.remoteId();
            int theirs = dreq.localId();
            world.send(source, new Drep(ours, theirs, PrivateData.NONE), transaction);
        }
    }
}
