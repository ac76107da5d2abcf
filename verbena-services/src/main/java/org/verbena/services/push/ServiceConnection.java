package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Wire;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.services.push.wire.CfgUtilRequest;
import org.verbena.services.push.wire.MessageFunction;
import org.verbena.services.push.wire.Refusal;
import org.verbena.time.Durations;
import org.verbena.time.WheelTimer;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.PreparedTransfer;
import org.verbena.verbs.Service;

/**
 * One end of a service connection: a control channel and, unless its options say otherwise, a data channel. Made by a {@link MessagingLayer}; used by the
 * thread of the layer.
 */
public final class ServiceConnection {
    /** The first operation of requests that the user defines; the layer has those below. */
    public static final int OPERATION_FIRST = CfgUtilRequest.OPERATION_FIRST;

    /** Data that are delivered in one turn at most, so that many connections have a fair share. */
    private static final int QUANTUM = 64;
    /** Signs of life that the peer is asked for within the limit of its silence. */
    private static final int ECHOES_PER_LIMIT = 3;

    private enum State {
        CONNECTING,
        OPEN,
        CLOSING,
        CLOSED
    }

    private final MessagingLayer layer;
    private final ServiceOptions options;
    private final ServiceCounters counters = new ServiceCounters();
    private final boolean connector;
    private final ProtectionDomain domain;
    private final Region sendRegion;
    private final ControlChannel control;
    private final DataPath data;
    private final Establishment establishment;
    private final WheelTimer timer = new WheelTimer(_ -> touch());
    private final long silenceNs;
    private @Nullable ServiceHandler handler;
    private State state = State.CONNECTING;
    private String closingReason = "";
    private boolean active;
    private long heardNs;
    private long echoDueNs;
    private long endNs;
    private int version;
    private int messageBytes;

    /**
     * Makes one end of a connection that is not established.
     *
     * @param options with the model, the use of channel 1 and the attributes that both ends have
     * @throws IllegalStateException if the adapter has no room for it
     * @throws IllegalArgumentException if the adapter's wire does not have the services of the channels
     */
    ServiceConnection(
            MessagingLayer layer, ServiceOptions options, boolean connector, InetSocketAddress peer, long cookie) {
        this.layer = layer;
        this.options = options;
        this.connector = connector;
        this.silenceNs = Durations.toNanos(options.silenceLimit());
        this.endNs = Durations.deadlineNs(layer.nowNs(), options.connectLimit());
        this.messageBytes = options.messageBytesMax();
        this.domain = layer.adapter().createProtectionDomain();
        ControlChannel madeControl = null;
        Region madeRegion = null;
        try {
            madeRegion = layer.adapter().share(layer.sendRegion(), domain, EnumSet.of(Right.LOCAL_READ));
            this.sendRegion = madeRegion;
            madeControl = new ControlChannel(this, options.dataChannel() == DataChannel.NONE ? options.sendsMax() : 0);
            this.control = madeControl;
            this.data = options.dataChannel() == DataChannel.RDMA
                    ? new RdmaPath(this)
                    : new SendPath(this, options.dataChannel() == DataChannel.SEND);
        } catch (RuntimeException e) {
            if (madeControl != null) {
                layer.forget(madeControl.channel());
                madeControl.close();
            }
            if (madeRegion != null) {
                madeRegion.close();
            }
            domain.close();
            throw e;
        }
        this.establishment = new Establishment(layer, this, peer, cookie);
    }

    /** Names the user; before the first event. */
    void handler(ServiceHandler user) {
        handler = user;
    }

    // --- for the user

    /** Whether data and requests can be sent. */
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether the user has learnt that it is open. */
    boolean wasOpened() {
        return state == State.OPEN || state == State.CLOSING;
    }

    /** Whether it is being closed in order. */
    boolean isClosing() {
        return state == State.CLOSING;
    }

    /** Whether it is over. */
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    /** The address of the peer, for people. */
    public InetSocketAddress peer() {
        return establishment.peer();
    }

    /** The options of this end, with what both ends have agreed on. */
    public ServiceOptions options() {
        return options;
    }

    /** Bytes of data that one {@link #push} can send now: the largest buffer that the peer has offered. 0 before the peer has offered any. */
    public int dataBytesMax() {
        return data.bytesMax();
    }

    /** Data that wait for a buffer of the peer. A user that can hold its data back does so while some wait. */
    public int queued() {
        return data.queued();
    }

    /** Data that are on their way or wait: each holds a buffer of the layer's {@link SendBuffers}. */
    public int underWay() {
        return data.underWay();
    }

    /**
     * Sends data of a buffer of the layer's {@link SendBuffers}. The connection holds the buffer until they are sent. They arrive in the order of the calls,
     * or not at all.
     *
     * @param slot the buffer
     * @param length bytes from its beginning on
     * @return false if they are dropped, and counted: the connection is not open, too many are under way, the peer has no buffer of this size, or
     *     none free and the queue is full
     * @throws IllegalArgumentException if the length is negative, or more than the buffer has
     */
    public boolean push(int slot, int length) {
        if (length < 0 || length > buffers().room(slot)) {
            throw new IllegalArgumentException(
                    "data of 0 … " + buffers().room(slot) + " bytes expected; found " + length);
        }
        if (state != State.OPEN) {
            counters.add(ServiceCounter.DROPPED_CLOSED);
            return false;
        }
        touch();
        return data.push(slot, length);
    }

    /**
     * Asks the peer for something: CfgUtilRequest.
     *
     * @param operation {@link #OPERATION_FIRST} or more, unsigned
     * @return the context that {@link ServiceHandler#onReply} has; 0 if the request cannot be sent now, because too many have no reply yet or the
     *     connection is not open
     * @throws IllegalArgumentException if the data do not fit in a message, or the operation is one of the layer
     */
    public long request(int operation, MemorySegment bytes, long offset, int length) {
        if (Integer.compareUnsigned(operation, OPERATION_FIRST) < 0) {
            throw new IllegalArgumentException(
                    "an operation of " + OPERATION_FIRST + " or more expected; found " + operation);
        }
        if (length < 0 || length > requestBytesMax()) {
            throw new IllegalArgumentException(
                    "a request of 0 … " + requestBytesMax() + " bytes expected; found " + length);
        }
        if (state != State.OPEN) {
            return 0;
        }
        touch();
        return control.sendRequest(operation, bytes, offset, length);
    }

    /** Bytes of the data of a request, and of its reply, at most. */
    public int requestBytesMax() {
        return messageBytes - CfgUtilRequest.DATA;
    }

    /** Its counters; always the same object. */
    public ServiceCounters counters() {
        return counters;
    }

    /**
     * Ends the connection in order: sends no more, flushes the pools of both ends, then closes. It takes {@link ServiceOptions#silenceLimit} at most;
     * {@link ServiceHandler#onClosed} follows.
     *
     * @param reason for the handler
     */
    public void close(String reason) {
        if (state == State.CONNECTING) {
            abort(reason);
        } else if (state == State.OPEN) {
            state = State.CLOSING;
            closingReason = reason;
            endNs = layer.nowNs() + silenceNs;
            data.beginFlush();
            touch();
        }
    }

    /** Ends the connection at once: its channels are closed and its memory is deregistered when the call returns. {@link ServiceHandler#onClosed} is called within. */
    public void abort(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        layer.forget(this);
        establishment.close();
        data.close();
        control.close();
        establishment.closeAddress();
        sendRegion.close();
        domain.close();
        ServiceHandler user = handler;
        if (user == null) {
            return;
        }
        try {
            user.onClosed(reason);
        } catch (RuntimeException e) {
            // The connection is over already: there is nothing left to end.
            counters.onHandlerFailed(e);
        }
    }

    @Override
    public String toString() {
        return "service connection " + (connector ? "to " : "from ") + peer() + " (" + state + ")";
    }

    // --- parts

    MessagingLayer layer() {
        return layer;
    }

    Adapter adapter() {
        return layer.adapter();
    }

    ProtectionDomain domain() {
        return domain;
    }

    SendBuffers buffers() {
        return layer.buffers();
    }

    Region sendRegion() {
        return sendRegion;
    }

    ControlChannel control() {
        return control;
    }

    DataPath data() {
        return data;
    }

    Establishment establishment() {
        return establishment;
    }

    WheelTimer timer() {
        return timer;
    }

    boolean isConnector() {
        return connector;
    }

    /** Whether this end writes its data into memory of the peer. */
    boolean pushes() {
        return options.model().pushes(connector);
    }

    /** Whether the peer writes its data into memory of this end. */
    boolean isPushed() {
        return options.model().pushes(!connector);
    }

    boolean hasSendWithImmediate() {
        return adapter().wire() == Wire.ROCE;
    }

    Channel createChannel(Service service, int sends, int receives, int receiveBytes, Channel.User user) {
        return layer.createChannel(domain, service, sends, receives, receiveBytes, user);
    }

    /** Buffers for messages of a channel; closes the channel if there is no room for them. */
    MessageBuffers createMessages(Channel of, int count, int bytes) {
        try {
            return new MessageBuffers(adapter(), domain, count, bytes);
        } catch (RuntimeException e) {
            layer.forget(of);
            of.close();
            throw e;
        }
    }

    /** The send of data on the channel that carries them. */
    PreparedTransfer prepareSend() {
        return establishment.prepareSend(sendRegion);
    }

    long nowNs() {
        return layer.nowNs();
    }

    int version() {
        return version;
    }

    /** Bytes of a message to the peer at most. */
    int messageBytes() {
        return messageBytes;
    }

    /** Bytes of a message with data at most. */
    int dataMessageBytes() {
        boolean datagrams =
                options.dataChannel() == DataChannel.SEND && !options.data().connected();
        return datagrams ? Math.min(messageBytes, adapter().mtuMax().bytes()) : messageBytes;
    }

    // --- events

    /** Both ends agree on version and length of messages. */
    void onAgreed(int agreedVersion, int peerMessageBytes) {
        version = agreedVersion;
        messageBytes = Math.min(options.messageBytesMax(), peerMessageBytes);
    }

    /** All channels are connected. */
    void onConnected() {
        if (state != State.CONNECTING) {
            return;
        }
        onHeard();
        echoDueNs = nowNs() + silenceNs / ECHOES_PER_LIMIT;
        try {
            data.open(nowNs());
        } catch (RuntimeException e) {
            abort("no room for the buffers of a connection: " + e.getMessage());
            return;
        }
        onPools();
    }

    /** The peer may have offered the first pools. */
    void onPools() {
        if (state == State.CONNECTING && establishment.isDone() && data.isReady()) {
            state = State.OPEN;
            touch();
            call(ServiceHandler::onOpen);
        }
    }

    /** A sign of life of the peer, on the control channel: data alone are none, they flow on while the peer's control channel is lost. */
    void onHeard() {
        heardNs = nowNs();
        touch();
    }

    /** There is something to deliver. */
    void onReady() {
        touch();
    }

    void onChannelFailed(String why) {
        deliverRest();
        abort(why + "; peer " + peer());
    }

    /** The peer has ended the connection. What it sent before is delivered. */
    void onPeerEnded() {
        deliverRest();
        abort(state == State.CLOSING ? closingReason : "the peer at " + peer() + " has ended the connection");
    }

    private void deliverRest() {
        if (state == State.CONNECTING) {
            return;
        }
        control.deliverRest();
        int delivered = QUANTUM;
        while (delivered == QUANTUM && state != State.CLOSED) {
            delivered = data.deliver(QUANTUM);
        }
    }

    void onDataSent(int slot) {
        ((SendPath) data).onSent(slot);
    }

    @Nullable
    Refusal onDataMessage(MessageFunction function, MemorySegment memory, long at, int length) {
        return data.onMessage(function, memory, at, length, true);
    }

    void refuse(Refusal refusal, String what) {
        counters.add(refusal, what);
        touch();
    }

    void deliver(MemorySegment memory, long offset, int length) {
        counters.add(ServiceCounter.DATA_RECEIVED);
        counters.add(ServiceCounter.BYTES_RECEIVED, length);
        ServiceHandler user = handler;
        if (user == null) {
            return;
        }
        try {
            user.onData(memory, offset, length);
        } catch (RuntimeException e) {
            onHandlerFailed(e);
        }
    }

    int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
        ServiceHandler user = handler;
        if (user == null) {
            return -1;
        }
        try {
            return user.onRequest(operation, request, offset, length, reply);
        } catch (RuntimeException e) {
            onHandlerFailed(e);
            return -1;
        }
    }

    void onReply(long context, int status, MemorySegment reply, long offset, int length) {
        call(user -> user.onReply(context, status, reply, offset, length));
    }

    private void call(Consumer<ServiceHandler> event) {
        ServiceHandler user = handler;
        if (user == null) {
            return;
        }
        try {
            event.accept(user);
        } catch (RuntimeException e) {
            onHandlerFailed(e);
        }
    }

    private void onHandlerFailed(RuntimeException e) {
        abort("the user of the connection failed: " + e);
    }

    // --- turns

    /** Has the layer give it a turn. */
    void touch() {
        if (!active && state != State.CLOSED) {
            active = true;
            layer.activate(this);
        }
    }

    /**
     * One turn.
     *
     * @return how much was done
     */
    int work(long nowNs) {
        active = false;
        if (state == State.CLOSED) {
            return 0;
        }
        int done = control.work();
        if (wasOpened()) {
            done += deliverSome();
        }
        if (state != State.CLOSED) {
            done += data.endTurn(nowNs);
            done += control.channel().flush() ? 1 : 0;
            watch(nowNs);
        }
        if (state != State.CLOSED) {
            layer.schedule(this, deadlineNs());
        }
        return done;
    }

    private int deliverSome() {
        int delivered = data.deliver(QUANTUM);
        if (delivered == QUANTUM) {
            touch();
        }
        return delivered;
    }

    private void watch(long nowNs) {
        if (state == State.CLOSING && data.isFlushed()) {
            abort(closingReason);
        } else if (state != State.OPEN && nowNs >= endNs) {
            abort(
                    state == State.CLOSING
                            ? closingReason
                            : "no connection with " + peer() + " within " + options.connectLimit());
        } else if (state != State.CONNECTING) {
            watchPeer(nowNs);
        }
    }

    private void watchPeer(long nowNs) {
        if (nowNs - heardNs >= silenceNs) {
            abort("the peer at " + peer() + " has not answered for " + options.silenceLimit());
        } else if (nowNs >= echoDueNs) {
            control.sendEcho();
            control.channel().flush();
            echoDueNs = nowNs + silenceNs / ECHOES_PER_LIMIT;
        }
    }

    private long deadlineNs() {
        long deadlineNs = state == State.OPEN ? heardNs + silenceNs : endNs;
        if (state != State.CONNECTING) {
            deadlineNs = Math.min(deadlineNs, echoDueNs);
        }
        return Math.min(deadlineNs, data.nextDeadlineNs());
    }
}
