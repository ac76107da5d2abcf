package org.verbena.verbs;

import java.util.Set;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.link.Endpoint;

/**
 * A send queue and a receive queue, with the {@link Service} of its options. Made by {@link Adapter#createQueuePair}, in
 * state RESET.
 *
 * <p>One thread at a time posts sends, and one thread at a time posts receives; a second one gets a {@link
 * java.util.ConcurrentModificationException}. Any thread may call the other methods. A change of state has taken effect
 * when its method returns. A method that does not fit the service or the state throws {@link IllegalStateException} and
 * changes nothing; after {@link #close} that is every method but those that only tell something.
 */
public final class QueuePair implements EventSource, AutoCloseable {
    private final Adapter adapter;
    private final QueuePairOptions options;
    private final int number;
    private final int firstPsn;
    private final WorkPoster poster;
    private final QueuePairControl control;
    private final boolean sharesReceives;
    private volatile boolean closed;

    QueuePair(
            Adapter adapter,
            QueuePairOptions options,
            int number,
            int firstPsn,
            WorkPoster poster,
            QueuePairControl control) {
        this.adapter = adapter;
        this.options = options;
        this.number = number;
        this.firstPsn = firstPsn;
        this.poster = poster;
        this.control = control;
        this.sharesReceives = options.sharedReceives() != null;
    }

    // --- work

    /**
     * Posts a request to the send queue. It is done after all requests posted before, and its outcome is the status of its
     * completion. The memory of its segments belongs to the adapter until then; inline data is copied at once. Allowed in
     * states RTS, SQD, SQE and ERROR; in the last two the request completes as {@code FLUSHED}. Does not allocate, lock
     * or wait; a registration of wired managed memory takes a lock of that memory for a moment.
     *
     * <table>
     * <caption>Requests that a service takes</caption>
     * <tr><th>request</th><th>RC</th><th>UC</th><th>UD</th><th>RAW</th></tr>
     * <tr><td>{@code Send}, {@code SendWithImmediate}</td><td>yes</td><td>yes</td><td></td><td></td></tr>
     * <tr><td>{@code SendWithInvalidate}</td><td>yes</td><td></td><td></td><td></td></tr>
     * <tr><td>{@code Write}, {@code WriteWithImmediate}</td><td>yes</td><td>yes</td><td></td><td></td></tr>
     * <tr><td>{@code Read}</td><td>yes</td><td></td><td></td><td></td></tr>
     * <tr><td>{@code FetchAdd}, {@code CompareSwap}, {@code AtomicWrite}</td><td>yes</td><td></td><td></td><td></td></tr>
     * <tr><td>{@code BindWindow}, {@code LocalInvalidate}, {@code Register}, {@code RegisterAndSend}</td><td>yes</td><td>yes</td><td></td><td></td>
     * </tr>
     * <tr><td>{@code SendDatagram}, {@code SendDatagramWithImmediate}</td><td></td><td></td><td>yes</td><td></td></tr>
     * <tr><td>{@code SendRaw}</td><td></td><td></td><td></td><td>yes</td></tr>
     * </table>
     *
     * @return false, with nothing posted, when the queue is full, or all buffers for memory that is {@linkplain LocalSegment#copied copied} are in use
     * @throws IllegalStateException in states RESET, INIT and RTR, after {@link #close}, or if the request names a window,
     *     address handle or managed memory that is closed
     * @throws org.verbena.memory.QuiescingException if a segment lies in a region that is swapped out, or about to be
     * @throws IllegalArgumentException if the service does not take the request, the request is longer than the queue
     *     pair's options allow, or it registers memory and the options do not {@linkplain QueuePairOptions#withRegister allow} it
     * @throws NullPointerException if a part of the request is null
     * @throws java.util.ConcurrentModificationException if another thread posts a send at the same time
     */
    @CheckReturnValue
    public boolean post(WorkRequest.Sending request) {
        requireTakesSends();
        return poster.post(request);
    }

    /**
     * Posts a part of a prepared transfer to the send queue: the same as a post of the equal {@link WorkRequest}, with the same rules, the same table of services and
     * the same outcome, and no object is made, however offsets, length and immediate data vary. A length of 0 is a message without a segment.
     *
     * @param id a number of the consumer's choice that stands in the completion
     * @param localOffset of the first byte in the transfer's region
     * @param length bytes, 0 … 2<sup>31</sup>
     * @param remoteOffset added to the address of the peer's memory, where the peer judges it; 0 for a send or a datagram
     * @param immediate data for the peer's completion; 0 for a transfer that carries none
     * @return false, with nothing posted, when the queue is full
     * @throws IllegalStateException in states RESET, INIT and RTR, after {@link #close}, or if the transfer's region or address handle is closed
     * @throws org.verbena.memory.QuiescingException if the region is swapped out, or about to be
     * @throws IllegalArgumentException if the service does not take the transfer; if the part does not lie within the region, or is longer than a message
     *     or a datagram can be; or if the transfer has no place for the remote offset or the immediate data and they are not 0
     * @throws java.util.ConcurrentModificationException if another thread posts a send at the same time
     */
    @CheckReturnValue
    public boolean post(
            PreparedTransfer what,
            long id,
            long localOffset,
            long length,
            long remoteOffset,
            int immediate,
            SendOptions options) {
        requireTakesSends();
        return poster.post(what, id, localOffset, length, remoteOffset, immediate, options);
    }

    private void requireTakesSends() {
        if (!poster.state().takesSends() || closed) {
            throw wrongState("takes no sends", closed ? "" : beforeSends());
        }
    }

    /**
     * Posts a receive. Messages take the receives in the order of posting. The memory of its segments belongs to the
     * adapter until its completion. Allowed in every state but RESET, for every service; in ERROR it completes as {@code
     * FLUSHED}. Does not allocate, lock or wait.
     *
     * @return false, with nothing posted, when the queue is full, or all buffers for memory that is {@linkplain LocalSegment#copied copied} are in use
     * @throws IllegalStateException in state RESET, after {@link #close}, or if the queue pair takes its receives from a
     *     {@link SharedReceiveQueue}
     * @throws org.verbena.memory.QuiescingException if a segment lies in a region that is swapped out, or about to be
     * @throws IllegalArgumentException if the request is longer than the queue pair's options allow
     * @throws java.util.ConcurrentModificationException if another thread posts a receive at the same time
     */
    @CheckReturnValue
    public boolean post(WorkRequest.Receive request) {
        if (sharesReceives || !poster.state().takesReceives() || closed) {
            throw sharesReceives
                    ? wrongState("takes receives from a shared queue", ": post to the shared receive queue")
                    : wrongState("takes no receives", closed ? "" : ": initialize or connect it first");
        }
        return poster.post(request);
    }

    private IllegalStateException wrongState(String why, String remedy) {
        return new IllegalStateException("queue pair " + number + " is "
                + (closed ? "closed" : poster.state().label()) + " and " + why + remedy);
    }

    /** The step that a queue pair lacks before it takes sends. */
    private String beforeSends() {
        return switch (poster.state()) {
            case RESET, INIT ->
                options.service() == Service.RC || options.service() == Service.UC
                        ? ": connect it first"
                        : ": activate it first";
            case READY_TO_RECEIVE -> ": call readyToSend first, or wait until the connection is established";
            default -> "";
        };
    }

    // --- connection

    /** The address that a peer needs to connect to this queue pair, with the first endpoint of the adapter's port. */
    public QueuePairAddress address() {
        return address(adapter.endpoint());
    }

    /**
     * The address that a peer needs to connect to this queue pair, with another endpoint of the adapter's port.
     *
     * @param local one of {@link Port#endpoints}; the {@link Route} of the connection names it as its source
     */
    public QueuePairAddress address(Endpoint local) {
        return new QueuePairAddress(local, number, firstPsn);
    }

    /**
     * RESET → INIT → RTR → RTS of a connection (RC or UC). The other end does the same with this one's {@link #address}.
     * If a step fails, the state is that of the last step that succeeded.
     *
     * @throws IllegalArgumentException if the link cannot carry the MTU, or the partition is not in the port's table
     * @throws org.verbena.link.LinkException if the link has no path to the peer
     * @throws IllegalStateException in another state or with another service
     */
    public void connect(QueuePairAddress peer, ConnectionOptions how) {
        initialize(how.remoteRights());
        readyToReceive(peer, how);
        readyToSend(how);
    }

    /**
     * RESET or INIT → INIT of a connection (RC or UC): receives may be posted from now on.
     *
     * @param remoteRights what the peer may do at all, whichever keys it has; only remote rights count. No later step adds a
     *     right: a connection has at most these
     * @throws IllegalStateException in another state or with another service
     */
    public void initialize(Set<Right> remoteRights) {
        control.initialize(remoteRights);
    }

    /**
     * INIT → RTR of a connection (RC or UC): requests of the peer are answered from now on. The peer may do what both {@link
     * #initialize(Set)} and {@link ConnectionOptions#remoteRights} allow.
     *
     * @throws IllegalArgumentException if the link cannot carry the MTU, or the partition is not in the port's table
     * @throws org.verbena.link.LinkException if the link has no path to the peer
     * @throws IllegalStateException in another state or with another service
     */
    public void readyToReceive(QueuePairAddress peer, ConnectionOptions how) {
        control.readyToReceive(peer, how);
    }

    /**
     * RTR → RTS of a connection (RC or UC): sends may be posted from now on.
     *
     * @throws IllegalStateException in another state or with another service
     */
    public void readyToSend(ConnectionOptions how) {
        readyToSend(how, firstPsn);
    }

    /**
     * RTR → RTS of a connection (RC or UC), with a first sequence number that a connection manager has agreed.
     *
     * @param psn 24 bits; replaces that of {@link #address}
     * @throws IllegalArgumentException if it has more than 24 bits
     * @throws IllegalStateException in another state or with another service
     */
    public void readyToSend(ConnectionOptions how, int psn) {
        control.readyToSend(how, psn);
    }

    /**
     * RESET or INIT → INIT of a datagram queue pair (UD): receives may be posted from now on, so that the first datagram
     * finds one.
     *
     * @throws IllegalStateException in another state or with another service
     */
    public void initialize() {
        control.initialize();
    }

    /**
     * RESET or INIT → RTR → RTS of a datagram queue pair (UD): it takes datagrams from every sender that knows its Q_Key.
     *
     * @throws IllegalArgumentException if the partition is not in the port's table
     * @throws IllegalStateException in another state or with another service
     */
    public void activate(DatagramOptions how) {
        control.activate(how);
    }

    /**
     * RESET → INIT → RTR → RTS of a raw queue pair (RAW): it takes packets of this EtherType.
     *
     * @param etherType 16 bits
     * @throws IllegalArgumentException if it has more than 16 bits
     * @throws IllegalStateException in another state or with another service; if another queue pair of the adapter has the
     *     type; or if the link carries no raw packets
     */
    public void activateRaw(int etherType) {
        control.activateRaw(etherType);
    }

    /**
     * Makes a datagram queue pair (UD) a member of a multicast group: it receives what is sent to the group. A second
     * call for the group does nothing. The membership ends with {@link #leave} or {@link #close}.
     *
     * @throws org.verbena.link.LinkException if the link cannot join the group
     * @throws IllegalStateException with another service, or when the adapter has all the memberships it can have
     */
    public void join(Endpoint group) {
        control.join(group);
    }

    /**
     * Ends the membership in a multicast group; does nothing if there is none.
     *
     * @throws IllegalStateException with another service than UD
     */
    public void leave(Endpoint group) {
        control.leave(group);
    }

    /**
     * RTS → SQD: requests that have begun are finished and no other begins. The event {@code SEND_QUEUE_DRAINED} says
     * that all are finished.
     *
     * @throws IllegalStateException in another state
     */
    public void drain() {
        control.drain();
    }

    /**
     * SQD → RTS, and SQE → RTS. SQE follows a request that failed with UC, UD and RAW; with RC a registration that failed, if the options
     * of the queue pair say {@link org.verbena.RegisterFailure#DRAIN}.
     *
     * @throws IllegalStateException in another state
     */
    public void resume() {
        control.resume();
    }

    /** Any state → ERROR: every request and every receive of its own completes as {@code FLUSHED}, now and later. */
    public void abort() {
        control.abort();
    }

    /** Any state → RESET: requests and receives of its own are forgotten, without a completion. */
    public void reset() {
        control.reset();
    }

    /** The present state; RESET after {@link #close}. */
    public QueuePairState state() {
        return control.state();
    }

    /** Its number, 24 bits, which stands in its completions and in its {@link #address}. */
    public int number() {
        return number;
    }

    /** The adapter that made it. */
    public Adapter adapter() {
        return adapter;
    }

    /** The options it was made with. */
    public QueuePairOptions options() {
        return options;
    }

    /**
     * Resets it and gives its number and its parts back. Requests that are not done get no completion. The peer is told if
     * a connection manager made the connection; otherwise it notices when its retries are used up. A second call does
     * nothing.
     */
    @Override
    public void close() {
        try {
            control.close();
        } finally {
            closed = true;
        }
    }

    @Override
    public String toString() {
        return "queue pair " + number + " (" + control.state().label() + ")";
    }
}
