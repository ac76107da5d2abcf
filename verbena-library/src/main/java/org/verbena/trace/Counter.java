package org.verbena.trace;

/** The counters of an adapter, under the names that RDMA tools show. */
public enum Counter implements CounterName {
    SENT_PACKETS("sent_pkts", Unit.PACKETS, "Packets sent"),
    RECEIVED_PACKETS("rcvd_pkts", Unit.PACKETS, "Packets received, dropped ones included"),
    SENT_BYTES("sent_bytes", Unit.BYTES, "Bytes of the packets sent, from the transport header to the checksum"),
    RECEIVED_BYTES(
            "rcvd_bytes", Unit.BYTES, "Bytes of the packets received, from the transport header to the checksum"),
    RETRANSMITTED_PACKETS("resent_pkts", Unit.PACKETS, "Packets sent again"),
    DUPLICATE_REQUESTS("duplicate_request", Unit.PACKETS, "Request packets received that had been received before"),
    OUT_OF_SEQUENCE_REQUESTS(
            "out_of_seq_request", Unit.PACKETS, "Request packets received with a later sequence number than expected"),
    SENT_ACKS("sent_acks", Unit.PACKETS, "Acknowledgements sent"),
    SENT_SEQUENCE_NAKS("sent_seq_naks", Unit.PACKETS, "Sequence error NAKs sent"),
    RECEIVED_SEQUENCE_NAKS("packet_seq_err", Unit.PACKETS, "Sequence error NAKs received"),
    IMPLIED_SEQUENCE_NAKS(
            "implied_nak_seq_err",
            Unit.EVENTS,
            "Answers that showed by their sequence number that an earlier answer was lost"),
    SENT_RNR_NAKS("send_rnr_err", Unit.PACKETS, "Receiver-not-ready NAKs sent because no receive was posted"),
    RECEIVED_RNR_NAKS("rcvd_rnr_err", Unit.PACKETS, "Receiver-not-ready NAKs received"),
    SENT_ERROR_NAKS("sent_error_naks", Unit.PACKETS, "NAKs sent that end the connection"),
    RECEIVED_ERROR_NAKS("rcvd_error_naks", Unit.PACKETS, "NAKs received that end the connection"),
    ACK_TIMEOUTS("local_ack_timeout_err", Unit.EVENTS, "Expirations of the acknowledgement timer"),
    PROBES(
            "sent_probes",
            Unit.PACKETS,
            "Packets sent again before the acknowledgement timer expires, to provoke an answer"),
    RETRY_EXCEEDED(
            "retry_exceeded_err", Unit.EVENTS, "Queue pairs that failed because the peer did not answer any retry"),
    RNR_RETRY_EXCEEDED(
            "retry_rnr_exceeded_err", Unit.EVENTS, "Queue pairs that failed because the peer stayed not ready"),
    REMOTE_ACCESS_ERRORS(
            "req_remote_access_errors", Unit.REQUESTS, "Requests of peers refused by the protection of memory"),
    COMPLETION_OVERRUNS("cq_overrun", Unit.EVENTS, "Completions that found their completion queue full"),
    MARKED_PACKETS("np_ecn_marked_roce_packets", Unit.PACKETS, "Packets received with the mark of a congested network"),
    SENT_CONGESTION_NOTIFICATIONS("np_cnp_sent", Unit.PACKETS, "Congestion notifications sent"),
    RECEIVED_CONGESTION_NOTIFICATIONS("rp_cnp_handled", Unit.PACKETS, "Congestion notifications received"),
    MEMORY_FAULTS(
            "memory_faults", Unit.EVENTS, "Turns cut short because the file behind a mapped region was truncated"),
    DROPPED_TOO_SHORT("drop_too_short", Unit.PACKETS, "Packets dropped: shorter than their headers"),
    DROPPED_UNPADDED("drop_unpadded", Unit.PACKETS, "Packets dropped: the length is no multiple of four bytes"),
    DROPPED_UNKNOWN_OPCODE("drop_unknown_opcode", Unit.PACKETS, "Packets dropped: unknown opcode"),
    DROPPED_BAD_VERSION("drop_bad_version", Unit.PACKETS, "Packets dropped: unknown version of the transport header"),
    DROPPED_UNKNOWN_QUEUE_PAIR("drop_unknown_qp", Unit.PACKETS, "Packets dropped: no such queue pair"),
    DROPPED_WRONG_SERVICE("drop_wrong_service", Unit.PACKETS, "Packets dropped: the queue pair has another service"),
    DROPPED_WRONG_STATE("drop_wrong_state", Unit.PACKETS, "Packets dropped: the queue pair is not ready to receive"),
    DROPPED_WRONG_SOURCE("drop_wrong_source", Unit.PACKETS, "Packets dropped: not from the peer of the queue pair"),
    DROPPED_WRONG_PKEY("drop_wrong_pkey", Unit.PACKETS, "Packets dropped: the partition key does not match"),
    DROPPED_WRONG_QKEY("drop_wrong_qkey", Unit.PACKETS, "Packets dropped: the Q_Key does not match"),
    DROPPED_BAD_ICRC("rx_icrc_encapsulated", Unit.PACKETS, "Packets dropped: the invariant CRC does not match"),
    DROPPED_UNEXPECTED_RESPONSE(
            "drop_unexpected_response", Unit.PACKETS, "Responses dropped: no request waits for them"),
    SENT_MADS("sent_mads", Unit.PACKETS, "Management datagrams sent"),
    RECEIVED_MADS("rcvd_mads", Unit.PACKETS, "Management datagrams received"),
    DROPPED_MALFORMED_MAD(
            "drop_malformed_mad",
            Unit.PACKETS,
            "Management datagrams dropped: not 256 bytes, not one packet, or another base version"),
    DROPPED_UNSERVED_MAD("drop_unserved_mad", Unit.PACKETS, "Management datagrams dropped: no handler for their class"),
    DROPPED_UNSENT_MAD(
            "drop_unsent_mad",
            Unit.PACKETS,
            "Management datagrams not sent: the queue was full or the port not reachable"),
    CM_DUPLICATES(
            "cm_rx_duplicates", Unit.MESSAGES, "Messages of the communication manager received again or too late"),
    CM_UNMATCHED(
            "cm_rx_unmatched",
            Unit.MESSAGES,
            "Messages of the communication manager that are malformed or match no connection"),
    CM_RETRIES(
            "cm_tx_retries", Unit.MESSAGES, "Messages of the communication manager sent again because no answer came"),
    KEEPALIVE_PROBES("keepalive_probes", Unit.PACKETS, "Probes sent to peers that were silent"),
    CM_CALLBACK_FAILURES("cm_callback_failures", Unit.EVENTS, "Times that the callback of a listener threw"),
    CM_DATA_DROPS(
            "cm_data_drops", Unit.MESSAGES, "Pieces of data at connect dropped because too many data were arriving"),
    CM_BACKLOG_DROPS("cm_backlog_drops", Unit.REQUESTS, "Connection requests dropped because too many were waiting"),
    DROPPED_INCOMPLETE_MESSAGES(
            "drop_incomplete_msg", Unit.MESSAGES, "Messages of an unreliable service dropped: a packet was missing"),
    DROPPED_REST_OF_MESSAGE(
            "drop_rest_of_msg",
            Unit.PACKETS,
            "Packets of an unreliable connection dropped: their message was dropped or its first packet never came"),
    DROPPED_NO_RECEIVE(
            "drop_no_receive", Unit.MESSAGES, "Messages of an unreliable service dropped: no receive was posted"),
    DROPPED_TOO_LONG(
            "drop_too_long", Unit.MESSAGES, "Messages of an unreliable service dropped: longer than the receive"),
    DROPPED_INVALID_REQUEST(
            "drop_invalid_request",
            Unit.REQUESTS,
            "Requests of an unreliable service dropped: not permitted or inconsistent"),
    DROPPED_PAGE_FAULT(
            "drop_page_fault",
            Unit.PACKETS,
            "Packets of an unreliable service dropped: their pages were not in memory"),
    SEND_PAGE_FAULTS("page_fault_send", Unit.EVENTS, "Page faults in receives, by sends of peers"),
    WRITE_PAGE_FAULTS("page_fault_write", Unit.EVENTS, "Page faults by writes of peers"),
    ATOMIC_PAGE_FAULTS("page_fault_atomic", Unit.EVENTS, "Page faults by atomics of peers"),
    RESPONSE_PAGE_FAULTS("page_fault_read_response", Unit.EVENTS, "Page faults while answering reads of peers"),
    GATHER_PAGE_FAULTS("page_fault_gather", Unit.EVENTS, "Page faults in the consumer's own data on its way out"),
    LANDING_PAGE_FAULTS(
            "page_fault_landing", Unit.EVENTS, "Page faults in the memory for the answers to own reads and atomics"),
    SENT_FAULT_RNR_NAKS("send_rnr_page_fault", Unit.PACKETS, "Receiver-not-ready NAKs sent because of page faults"),
    SENT_UNSOLICITED_ACKS(
            "sent_unsolicited_acks",
            Unit.PACKETS,
            "Acknowledgements sent to end the RNR wait of a peer when its pages are in memory or a receive is posted"),
    PAGE_LEASES("page_leases", Unit.EVENTS, "Times that pages were kept for a request that will come again"),
    PAGE_LEASES_EXPIRED("page_leases_expired", Unit.EVENTS, "Times that such a request did not come again in time"),
    PAGE_FAULT_LIMITS("page_fault_time_limit", Unit.EVENTS, "Page faults that lasted longer than the limit"),
    RESUMED_BY_ACK("rnr_resumed_by_ack", Unit.EVENTS, "RNR waits ended early by an acknowledgement of the peer"),
    RESUMED_BY_TIMER("rnr_resumed_by_timer", Unit.EVENTS, "RNR waits that lasted as long as the peer had said"),
    RESUMED_BY_ACK_TIMEOUT(
            "rnr_resumed_by_ack_timeout",
            Unit.EVENTS,
            "Acknowledgement timeouts between an RNR wait and the next progress, never expected"),
    RESUMED_BY_PROBE(
            "rnr_resumed_by_probe",
            Unit.EVENTS,
            "Probes between an RNR wait and the next progress, expected only when packets are lost");

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
    private final Text text;

    Counter(String label, Unit unit, String help) {
        this.text = new Text(label, unit, help);
    }

    @Override
    public Text text() {
        return text;
    }
}
