package org.verbena.adapter;

/** Every bound of the engine, in one place, with the consequence of reaching it. */
public final class Limits {
    /** Queue pairs of one adapter; creating one more is refused. Its bits are the low part of a queue pair's number. */
    public static final int QUEUE_PAIRS_MAX = 1 << 16;
    /** Bits of a queue pair's number that say which slot of the table it has; the rest tells generations apart. */
    public static final int QUEUE_PAIR_INDEX_BITS = 16;
    /** Numbers 0 and 1 are for subnet management and connection management. */
    public static final int QUEUE_PAIRS_RESERVED = 2;
    /** Slots of a send, receive or completion ring; more is refused. */
    public static final int RING_CAPACITY_MAX = 1 << 20;
    /** Segments of one gather or scatter list; more is refused. */
    public static final int SEGMENTS_MAX = 32;
    /** Bytes of inline data; more is refused. */
    public static final int INLINE_MAX = 1024;
    /** Bytes of one message, as in the InfiniBand specification; more is refused. */
    public static final long MESSAGE_MAX = 1L << 31;
    /** Reads and atomics a responder keeps for repetition; one more outstanding is an invalid request. */
    public static final int INBOUND_READS_MAX = 128;
    /** IPv4 peers whose identifications are remembered, a power of two; with more, some are taken for new ones. */
    public static final int PEERS_REMEMBERED = 256;
    /** Packets taken from the link in one turn; the rest waits for the next. */
    public static final int RECEIVE_PER_TURN = 256;
    /**
     * {@link Effort} of one queue pair in its turn; then the next queue pair has its turn. It is enough for 32 packets of 4 KiB, or for
     * 128 small ones, which is the number that one call of the operating system sends.
     */
    public static final int TRANSMIT_PER_QUEUE_PAIR = 128;
    /** Effort of all queue pairs in one turn; the rest waits for the next. */
    public static final int TRANSMIT_PER_TURN = 512;
    /** Queue pairs that waited for a page, served in one turn; the rest waits for the next. */
    public static final int RESUMED_PER_TURN = 4;
    /**
     * Effort that must be spent for other queue pairs before the next queue pair that waited for a page is served. A turn without effort
     * counts as 1. The price applies only while a queue pair without page faults sends.
     */
    public static final int RESUMED_PRICE = 8;
    /** Turns in which a queue pair must have sent since its last page fault to count as one without page faults. */
    public static final int CALM_SENDS = 8;
    /** Turns without a sending queue pair that has no page faults, after which {@link #RESUMED_PRICE} does not apply. */
    public static final int QUIET_TURNS = 1024;
    /** Bytes of one read request on the wire; a longer read work request is cut. */
    public static final int READ_REQUEST_BYTES = 1 << 16;
    /** Commands done in one turn; ended page faults are among them, and many may end together. */
    public static final int COMMANDS_PER_TURN = 4;
    /** Asynchronous events kept for a consumer that does not take them; later ones are dropped and counted. */
    public static final int EVENTS_MAX = 4096;

    /** Address handles of one adapter; creating one more is refused. */
    public static final int ADDRESS_HANDLES_MAX = 1 << 16;
    /** Memberships of queue pairs in multicast groups, of one adapter; one more is refused. */
    public static final int MEMBERSHIPS_MAX = 4096;
    /** Partition keys of a port; more are refused. */
    public static final int PARTITIONS_MAX = 128;
    /** Management datagrams that wait to be sent; one more is dropped, as if lost on the way. */
    public static final int MANAGEMENT_SENDS_MAX = 4096;
    /**
     * Ports that queue pair 1 keeps a path to; a new one replaces the least recently used. It is also the number of new ports that are
     * answered in a second; one more gets no answer and asks again.
     */
    public static final int MANAGEMENT_PEERS_MAX = 1024;
    /**
     * The lowest UDP port that a management datagram can name for its answer. One that names a lower port is answered at the port it
     * came to: a forged datagram does not have packets sent to the services of the system.
     */
    public static final int MANAGEMENT_PORT_MIN = 1024;

    /** Time between two congestion notifications of one connection; marks in between are only counted. */
    public static final long CONGESTION_NOTIFICATION_NS = 50_000;

    /**
     * How long a page fault may last, unless an adapter is told otherwise; then the queue pair that waits fails. It is less than the time after
     * which a requester with default options gives up a read, 8 × 0.54 s, on Linux as here.
     */
    public static final long FAULT_NS = 4_000_000_000L;
    /**
     * Shortest time for which the pages of a request are leased if the request does not arrive again. Linux looks at its timers every
     * 4 ms.
     */
    public static final long PAGE_LEASE_NS = 20_000_000;
    /**
     * Longest time for which the pages of a request are leased, whatever waiting time the peer was told. The lease of a peer with few RNR
     * retries lasts for that time and {@link #PAGE_LEASE_NS}: at most 0.68 s.
     */
    public static final long PAGE_LEASE_MAX_NS = 50_000_000;
    /** Further receives whose pages are brought in with those of a receive that met a page fault: their messages would fault next. */
    public static final int RECEIVES_AHEAD = 16;
    /** First pause before an access that found no frame, though no page was missing, is tried again; doubled six times. */
    public static final long FAULT_STALL_NS = 50_000;
    /** Time after which a page fault that lasts is tried again: the store may have room now, or the guest's driver an answer. */
    public static final long FAULT_POKE_NS = 10_000_000;
    /** Longest waiting time that a peer which retries for ever is told when a page fault lasts longer than expected. */
    public static final long FAULT_RNR_NS = 5_120_000;
    /** Longest waiting time that a peer is told if it will be called before the time is over, unless faults usually take longer. */
    public static final long FAULT_NET_NS = 81_920_000;

    private Limits() {}
}
