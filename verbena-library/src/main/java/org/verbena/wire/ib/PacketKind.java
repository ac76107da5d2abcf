package org.verbena.wire.ib;

/** What a packet carries: part of a send, part of a write, a read request, an acknowledgement. The same for every service. */
public enum PacketKind {
    SEND(Role.REQUEST, true),
    RDMA_WRITE(Role.REQUEST, true),
    RDMA_READ_REQUEST(Role.REQUEST, false),
    RDMA_READ_RESPONSE(Role.RESPONSE, true),
    ACKNOWLEDGE(Role.RESPONSE, false),
    ATOMIC_ACKNOWLEDGE(Role.RESPONSE, false),
    COMPARE_SWAP(Role.REQUEST, false),
    FETCH_ADD(Role.REQUEST, false),
    /** Reliable datagram: the requester gives up a message and names the sequence number to go on with. */
    RESYNC(Role.REQUEST, false),
    /** Makes earlier writes visible or persistent (specification 1.5, annex A19). */
    FLUSH(Role.REQUEST, false),
    /** Writes 8 aligned bytes at once (specification 1.5, annex A19). */
    ATOMIC_WRITE(Role.REQUEST, true),
    CONGESTION_NOTIFICATION(Role.NOTIFICATION, false);

    private enum Role {
        REQUEST,
        RESPONSE,
        NOTIFICATION
    }

    private final boolean request;
    private final boolean response;
    private final boolean payload;

    PacketKind(Role role, boolean payload) {
        this.request = role == Role.REQUEST;
        this.response = role == Role.RESPONSE;
        this.payload = payload;
    }

    /** Whether a requester sends it and a responder executes it. */
    public boolean isRequest() {
        return request;
    }

    /** Whether a responder sends it. */
    public boolean isResponse() {
        return response;
    }

    /** Whether its packets may carry a payload. */
    public boolean hasPayload() {
        return payload;
    }
}
