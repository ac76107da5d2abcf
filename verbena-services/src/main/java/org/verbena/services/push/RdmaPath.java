package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.BufferRdmaIndicate;
import org.verbena.services.push.wire.BufferRecvPool;
import org.verbena.services.push.wire.Indication;
import org.verbena.services.push.wire.MessageFunction;
import org.verbena.services.push.wire.MessageHeader;
import org.verbena.services.push.wire.Messages;
import org.verbena.services.push.wire.Refusal;
import org.verbena.verbs.PreparedTransfer;

/** Data by RDMA on channel 1: pools of buffers, writes or reads, and indications. {@link Pools} has the messages about pools. */
final class RdmaPath implements DataPath, Channel.User {
    /** Requests on the data channel that one datum needs at most: the write and its indication. */
    static final int REQUESTS_PER_DATUM = 2;
    /** Bytes of a message on the data channel at most. */
    static final int MESSAGE_BYTES = 64;
    /** Receives on the data channel beside one for each element: for messages about pools. */
    static final int RECEIVES_SPARE = 16;
    /** Messages on the data channel that are under way at most. */
    private static final int MESSAGES = 64;

    private final ServiceConnection connection;
    private final ServiceCounters counters;
    private final Channel channel;
    private final MessageBuffers messages;
    private final PreparedTransfer message;
    private final @Nullable PreparedTransfer immediate;
    private final Outflow out;
    private final Inflow in;
    private final @Nullable Pulls pulls;
    private final Pools pools;

    RdmaPath(ServiceConnection connection) {
        this.connection = connection;
        this.counters = connection.counters();
        ServiceOptions options = connection.options();
        boolean acknowledged = options.data().acknowledged();
        boolean pushed = connection.isPushed();
        int elements = options.pools().stream().mapToInt(PoolShape::elements).sum();
        this.channel = connection.createChannel(
                options.data().service(),
                options.sendsMax() + MESSAGES + Pulls.READS_MAX,
                Math.max(elements, Pools.ELEMENTS_ROOM) * 2 + RECEIVES_SPARE,
                MESSAGE_BYTES,
                this);
        this.messages = connection.createMessages(channel, MESSAGES, MESSAGE_BYTES);
        this.message = PreparedTransfer.send(messages.region());
        this.immediate =
                connection.hasSendWithImmediate() ? PreparedTransfer.sendWithImmediate(messages.region()) : null;
        this.out = new Outflow(connection, this, acknowledged);
        this.in = new Inflow(connection, !acknowledged);
        this.pulls = pushed ? null : new Pulls(connection, this, in);
        this.pools = new Pools(connection, this, out, in, pulls);
    }

    @Override
    public Channel channel() {
        return channel;
    }

    @Override
    public void open(long nowNs) {
        pools.offer(nowNs);
    }

    @Override
    public boolean isReady() {
        return out.poolCount() > 0;
    }

    @Override
    public int bytesMax() {
        return out.bytesMax();
    }

    @Override
    public int queued() {
        return out.queued();
    }

    @Override
    public int underWay() {
        return out.underWay();
    }

    @Override
    public boolean push(int slot, int length) {
        return out.push(slot, length);
    }

    // --- requests on the channel

    /** Writes data into an element of the peer, and indicates them. */
    void write(OutgoingPool pool, int element, int slot, int length, boolean fits) {
        long from = connection.buffers().offset(slot);
        PreparedTransfer transfer = fits ? pool.withImmediate() : pool.plain();
        assert transfer != null : "pools of a sender that pushes have both";
        int word = fits ? Indication.word(pool.reference(), element, length) : 0;
        channel.post(transfer, slot, from, length, pool.offset(element), word);
        if (fits) {
            counters.add(ServiceCounter.INDICATED_BY_IMMEDIATE);
        } else {
            indicate(pool, element, length);
        }
    }

    /** Indicates data that the peer reads. */
    void announce(OutgoingPool pool, int element, int length) {
        if (immediate != null && Indication.fits(pool.reference(), element, length)) {
            int word = Indication.word(pool.reference(), element, length);
            channel.post(immediate, ~takeMessage(), 0, 0, 0, word);
            counters.add(ServiceCounter.INDICATED_BY_IMMEDIATE);
        } else {
            indicate(pool, element, length);
        }
    }

    private void indicate(OutgoingPool pool, int element, int length) {
        int buffer = takeMessage();
        long at = messages.offset(buffer);
        BufferRdmaIndicate.write(
                messages.memory(),
                at,
                connection.version(),
                connection.control().nextContext());
        BufferRdmaIndicate.writeTransfer(messages.memory(), at, 0, pool.reference(), element, length);
        sendMessage(buffer, BufferRdmaIndicate.messageLength(1));
        counters.add(ServiceCounter.INDICATED_BY_MESSAGE);
    }

    /** Whether a datum can be sent now, if there is an element for it. */
    boolean hasRoom() {
        return channel.room() >= REQUESTS_PER_DATUM && messages.freeCount() > 0;
    }

    /** Whether a message can be sent on the data channel. */
    boolean hasMessageRoom() {
        return messages.freeCount() > 0 && channel.hasRoom();
    }

    /** Takes a buffer for a message on the data channel. */
    int takeMessage() {
        return messages.take();
    }

    MemorySegment messageMemory() {
        return messages.memory();
    }

    long messageOffset(int buffer) {
        return messages.offset(buffer);
    }

    void sendMessage(int buffer, int length) {
        channel.post(message, ~buffer, messages.offset(buffer), length, 0, 0);
        counters.add(ServiceCounter.MESSAGES_SENT);
    }

    /** Offers a pool that the peer reads from. */
    void sendOffer(BufferRecvPool pool) {
        int buffer = takeMessage();
        long at = messages.offset(buffer);
        long context = connection.control().nextContext();
        MessageHeader.write(messages.memory(), at, MessageFunction.BUFFER_RECV_POOL, connection.version(), context);
        pool.write(messages.memory(), at, 0);
        sendMessage(buffer, BufferRecvPool.messageLength(1));
    }

    @Override
    public void onSent(int tag) {
        if (tag >= 0 && tag < Pulls.TAG) {
            out.onWritten(tag);
        } else if (tag >= Pulls.TAG) {
            assert pulls != null;
            pulls.onRead(tag - Pulls.TAG);
        } else {
            messages.release(~tag);
        }
        connection.touch(); // something may wait for room
    }

    // --- arrivals

    @Override
    public void onImmediate(int word) {
        connection.touch();
        indicated(Indication.pool(word), Indication.element(word), Indication.size(word));
    }

    private void indicated(int reference, int element, int size) {
        Refusal refusal = in.onIndication(reference, element, size, connection.nowNs());
        if (refusal != null) {
            connection.refuse(
                    refusal,
                    "an indication of " + size + " bytes in element " + element + " of pool " + reference + ": "
                            + refusal.reason());
        }
    }

    @Override
    public void onMessage(int buffer, int length) {
        connection.touch();
        MemorySegment memory = channel.memory();
        long at = channel.offset(buffer);
        Refusal refusal = Messages.judge(memory, at, length, connection.version());
        if (refusal == null) {
            MessageFunction function = MessageFunction.of(MessageHeader.function(memory, at));
            assert function != null : "judged";
            refusal = switch (function) {
                case BUFFER_RDMA_INDICATE -> onIndicate(memory, at, length);
                case BUFFER_RECV_POOL, BUFFER_POOL_FLUSH_REQUEST, BUFFER_POOL_FLUSH_REPLY ->
                    onMessage(function, memory, at, length, false);
                default -> Refusal.UNEXPECTED_MESSAGE;
            };
        }
        if (refusal != null) {
            connection.refuse(refusal, Messages.explain(refusal, memory, at, length, connection.version()));
        } else {
            counters.add(ServiceCounter.MESSAGES_RECEIVED);
        }
        channel.repost(buffer);
    }

    private @Nullable Refusal onIndicate(MemorySegment memory, long at, int length) {
        if (!connection.options().data().acknowledged()) {
            return Refusal.UNEXPECTED_MESSAGE; // its data may be lost
        }
        for (int i = 0; i < BufferRdmaIndicate.transfers(length); i++) {
            indicated(
                    BufferRdmaIndicate.pool(memory, at, i),
                    BufferRdmaIndicate.element(memory, at, i),
                    BufferRdmaIndicate.size(memory, at, i));
        }
        return null;
    }

    @Override
    public @Nullable Refusal onMessage(
            MessageFunction function, MemorySegment memory, long at, int length, boolean control) {
        return pools.onMessage(function, memory, at, length, control);
    }

    @Override
    public void onEnded() {
        connection.onPeerEnded();
    }

    @Override
    public void onFailed(String why) {
        connection.onChannelFailed("the data channel failed: " + why);
    }

    // --- turns

    @Override
    public int deliver(int most) {
        return pulls == null ? in.deliver(most, connection.nowNs()) : pulls.deliver(most);
    }

    @Override
    public int endTurn(long nowNs) {
        int done = out.sendWaiting();
        if (pulls != null) {
            done += pulls.read();
        }
        done += in.update(nowNs) ? 1 : 0;
        done += out.askForMore(nowNs) ? 1 : 0;
        done += pools.endTurn(nowNs);
        return done + (channel.flush() ? 1 : 0);
    }

    @Override
    public long nextDeadlineNs() {
        return Math.min(in.nextDeadlineNs(), out.nextDeadlineNs());
    }

    @Override
    public void beginFlush() {
        out.dropWaiting();
        pools.beginFlush();
    }

    @Override
    public boolean isFlushed() {
        return pools.isFlushed() && channel.isIdle();
    }

    @Override
    public void close() {
        out.dropWaiting();
        channel.close();
        pools.close();
        if (pulls != null) {
            pulls.close();
        }
        messages.close();
    }
}
