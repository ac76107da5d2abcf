package org.verbena.connect.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;

/** The conversations of one adapter, by each of the names that a message can use for one. */
final class ConversationTable {
    private final Map<Integer, Conversation> byLocalId = new HashMap<>();
    private final Map<Remote, Conversation> byRemoteId = new HashMap<>();
    private final Map<Remote, Conversation> byRemoteQueuePair = new HashMap<>();
    private final Map<Remote, Conversation> peerToPeer = new HashMap<>();
    private final DataRoom dataRoom = new DataRoom(CmLimits.DATA_ARRIVING_MAX_BYTES);

    /** Number of conversations, those in timewait included. */
    int size() {
        return byLocalId.size();
    }

    /** Number of entries under all names. */
    int entries() {
        return byLocalId.size() + byRemoteId.size() + byRemoteQueuePair.size() + peerToPeer.size();
    }

    /** The room for data at connect that all conversations share. */
    DataRoom dataRoom() {
        return dataRoom;
    }

    /** A copy: the conversations may end while it is read. */
    List<Conversation> all() {
        return new ArrayList<>(byLocalId.values());
    }

    // --- entering and removing

    void add(Conversation conversation) {
        byLocalId.put(conversation.localId(), conversation);
    }

    /** Enters a conversation whose peer asks for the same service as well. */
    void addPeerToPeer(Conversation conversation, long serviceId) {
        peerToPeer.put(Remote.meetingPoint(conversation.peer(), serviceId), conversation);
    }

    /**
     * Enters a conversation under the peer's id and queue pair, which are known by now.
     *
     * @return false, with nothing entered, if another conversation has the peer's queue pair; that one is told that it is stale
     */
    boolean know(Conversation conversation) {
        Conversation other = byRemoteQueuePair.putIfAbsent(conversation.remoteQueuePair(), conversation);
        if (other != null && other != conversation) {
            other.abandon();
            return false;
        }
        byRemoteId.put(Remote.of(conversation.peer(), conversation.remoteId()), conversation);
        return true;
    }

    void forgetQueuePair(Conversation conversation) {
        byRemoteQueuePair.remove(conversation.remoteQueuePair(), conversation);
    }

    void forgetPeerToPeer(Conversation conversation) {
        if (!peerToPeer.isEmpty()) {
            peerToPeer.values().remove(conversation);
        }
    }

    void forget(Conversation conversation) {
        byLocalId.remove(conversation.localId());
        byRemoteId.remove(Remote.of(conversation.peer(), conversation.remoteId()), conversation);
        forgetQueuePair(conversation);
    }

    void clear() {
        byLocalId.clear();
        byRemoteId.clear();
        byRemoteQueuePair.clear();
        peerToPeer.clear();
    }

    // --- finding

    boolean hasId(int localId) {
        return byLocalId.containsKey(localId);
    }

    boolean isPeerToPeer(Conversation conversation) {
        return peerToPeer.containsValue(conversation);
    }

    /** The conversation with this local id, if its peer is at the source's address. */
    @Nullable
    Conversation find(Endpoint source, int localId) {
        Conversation found = byLocalId.get(localId);
        return found != null && found.peer().address().equals(source.address()) ? found : null;
    }

    /** The conversation with our id and the peer's, if its peer is at the source's address. */
    @Nullable
    Conversation find(Endpoint source, int ours, int theirs) {
        Conversation found = find(source, ours);
        return found != null && found.remoteId() == theirs ? found : null;
    }

    /** The conversation with this id of the peer's. */
    @Nullable
    Conversation findByRemoteId(Endpoint source, int remoteId) {
        return byRemoteId.get(Remote.of(source, remoteId));
    }

    /** The conversation that holds this queue pair of the peer's. */
    @Nullable
    Conversation findByQueuePair(Endpoint source, long guid, int number) {
        return byRemoteQueuePair.get(Remote.queuePair(source, guid, number));
    }

    /** The conversation in which this end asks the same peer for the same service. */
    @Nullable
    Conversation findPeerToPeer(Endpoint source, long serviceId) {
        return peerToPeer.get(Remote.meetingPoint(source, serviceId));
    }
}
