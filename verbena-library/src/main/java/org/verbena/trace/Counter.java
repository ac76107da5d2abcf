package org.verbena.trace;

/** What is counted, under the names that RDMA tools show. */
public enum Counter {
    SENT_PACKETS("sent_pkts"),
    RECEIVED_PACKETS("rcvd_pkts"),
    SENT_BYTES("sent_bytes"),
    RECEIVED_BYTES("rcvd_bytes"),
    RETRANSMITTED_PACKETS("resent_pkts"),
    DUPLICATE_REQUESTS("duplicate_request"),
    OUT_OF_SEQUENCE_REQUESTS("out_of_seq_request"),
    SENT_ACKS("sent_acks"),
    SENT_SEQUENCE_NAKS("sent_seq_naks"),
    RECEIVED_SEQUENCE_NAKS("packet_seq_err"),
    IMPLIED_SEQUENCE_NAKS("implied_nak_seq_err"),
    SENT_RNR_NAKS("send_rnr_err"),
    RECEIVED_RNR_NAKS("rcvd_rnr_err"),
    SENT_ERROR_NAKS("sent_error_naks"),
    RECEIVED_ERROR_NAKS("rcvd_error_naks"),
    ACK_TIMEOUTS("local_ack_timeout_err"),
    PROBES("sent_probes"),
    RETRY_EXCEEDED("retry_exceeded_err"),
    RNR_RETRY_EXCEEDED("retry_rnr_exceeded_err"),
    REMOTE_ACCESS_ERRORS("req_remote_access_errors"),
    COMPLETION_OVERRUNS("cq_overrun"),
    /** Packets that a congested network has marked. */
    MARKED_PACKETS("np_ecn_marked_roce_packets"),
    SENT_CONGESTION_NOTIFICATIONS("np_cnp_sent"),
    RECEIVED_CONGESTION_NOTIFICATIONS("rp_cnp_handled"),
    /** Turns cut short because memory behind a region, a mapped file, was not there any more. */
    MEMORY_FAULTS("memory_faults"),
    DROPPED_TOO_SHORT("drop_too_short"),
    DROPPED_UNKNOWN_OPCODE("drop_unknown_opcode"),
    DROPPED_BAD_VERSION("drop_bad_version"),
    DROPPED_UNKNOWN_QUEUE_PAIR("drop_unknown_qp"),
    DROPPED_WRONG_SERVICE("drop_wrong_service"),
    DROPPED_WRONG_STATE("drop_wrong_state"),
    DROPPED_WRONG_SOURCE("drop_wrong_source"),
    DROPPED_WRONG_PKEY("drop_wrong_pkey"),
    DROPPED_WRONG_QKEY("drop_wrong_qkey"),
    DROPPED_BAD_ICRC("rx_icrc_encapsulated"),
    DROPPED_UNEXPECTED_RESPONSE("drop_unexpected_response"),
    SENT_MADS("sent_mads"),
    RECEIVED_MADS("rcvd_mads"),
    /** Not 256 bytes, not one packet, or of another base version. */
    DROPPED_MALFORMED_MAD("drop_malformed_mad"),
    /** Of a class that nobody serves. */
    DROPPED_UNSERVED_MAD("drop_unserved_mad"),
    /** No room in the queue of datagrams to send, or no way to the port. */
    DROPPED_UNSENT_MAD("drop_unsent_mad"),
    /** Messages of a communication manager that had come before, or came too late. */
    CM_DUPLICATES("cm_rx_duplicates"),
    /** Messages of a communication manager that nobody here is meant by, or that are none. */
    CM_UNMATCHED("cm_rx_unmatched"),
    /** Messages of the communication manager sent again for want of an answer. */
    CM_RETRIES("cm_tx_retries"),
    /** Requests dropped because too many were waiting. */
    CM_BACKLOG_DROPS("cm_backlog_drops"),
    /** Messages of an unreliable service of which a packet was missing. */
    DROPPED_INCOMPLETE_MESSAGES("drop_incomplete_msg"),
    /** Packets of an unreliable connection whose message was dropped, or whose first packet never came. */
    DROPPED_REST_OF_MESSAGE("drop_rest_of_msg"),
    /** Messages of an unreliable service for which no receive was posted. */
    DROPPED_NO_RECEIVE("drop_no_receive"),
    /** Messages of an unreliable service that are longer than the receive they found. */
    DROPPED_TOO_LONG("drop_too_long"),
    /** Requests of an unreliable service that a peer may not make, or that contradict themselves. */
    DROPPED_INVALID_REQUEST("drop_invalid_request"),
    /** Packets of an unreliable service whose pages were not there. */
    DROPPED_PAGE_FAULT("drop_page_fault"),
    /** Page faults of peers' sends: the pages of a receive. */
    SEND_PAGE_FAULTS("page_fault_send"),
    /** Page faults of peers' writes. */
    WRITE_PAGE_FAULTS("page_fault_write"),
    /** Page faults of peers' atomics. */
    ATOMIC_PAGE_FAULTS("page_fault_atomic"),
    /** Page faults of answers to peers' reads. */
    RESPONSE_PAGE_FAULTS("page_fault_read_response"),
    /** Page faults of the consumer's own data on its way out. */
    GATHER_PAGE_FAULTS("page_fault_gather"),
    /** Page faults of the memory where answers to reads and atomics will land. */
    LANDING_PAGE_FAULTS("page_fault_landing"),
    /** Refusals for page faults; those for want of a receive are not among them. */
    SENT_FAULT_RNR_NAKS("send_rnr_page_fault"),
    /** Acknowledgements that tell a peer in its RNR wait that the pages are there. */
    SENT_UNSOLICITED_ACKS("sent_unsolicited_acks"),
    PAGE_LEASES("page_leases"),
    /** Leases whose request did not come again in time. */
    PAGE_LEASES_EXPIRED("page_leases_expired"),
    /** Page faults that lasted too long. */
    PAGE_FAULT_LIMITS("page_fault_time_limit"),
    /** RNR waits ended by the peer's word. */
    RESUMED_BY_ACK("rnr_resumed_by_ack"),
    /** RNR waits that took the whole time told. */
    RESUMED_BY_TIMER("rnr_resumed_by_timer"),
    /** Acknowledgement timeouts between an RNR wait and the next progress: what should never be needed. */
    RESUMED_BY_ACK_TIMEOUT("rnr_resumed_by_ack_timeout"),
    /** Probes between an RNR wait and the next progress: needed only when packets are lost. */
    RESUMED_BY_PROBE("rnr_resumed_by_probe");

    private final String label;

    Counter(String label) {
        this.label = label;
    }

    /** The name tools print. */
    public String label() {
        return label;
    }
}
