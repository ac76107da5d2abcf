package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.MessageFunction;
import org.verbena.services.push.wire.MessageHeader;
import org.verbena.services.push.wire.Messages;
import org.verbena.services.push.wire.Refusal;
import org.verbena.services.push.wire.SendData;
import org.verbena.verbs.PreparedTransfer;

/** Data as SendData, on channel 1 or, if there is none, on the control channel. */
final class SendPath implements DataPath, Channel.User {
    /** Tags of data in the log of the control channel begin here. */
    static final int TAG = 1 << 30;
    /** Receives of a channel for data at most. */
    static final int RECEIVES_MAX = 256;

    private final ServiceConnection connection;
    private final ServiceCounters counters;
    private final SendBuffers buffers;
    private final WaitingData waiting;
    private final @Nullable Channel own;
    private final int[] arrivedBuffers;
    private final int[] arrivedLengths;
    private int arrivedFirst;
    private int arrivedCount;
    private @Nullable PreparedTransfer send;
    private int underWay;

    /** @param ownChannel whether data have channel 1 */
    SendPath(ServiceConnection connection, boolean ownChannel) {
        this.connection = connection;
        this.counters = connection.counters();
        this.buffers = connection.buffers();
        ServiceOptions options = connection.options();
        this.waiting = new WaitingData(buffers, options.queueMax());
        int receives = ownChannel ? Math.min(RECEIVES_MAX, Math.max(32, options.sendsMax())) : 0;
        this.own = ownChannel
                ? connection.createChannel(
                        options.data().service(), options.sendsMax(), receives, options.messageBytesMax(), this)
                : null;
        this.arrivedBuffers = new int[receives];
        this.arrivedLengths = new int[receives];
    }

    @Override
    public @Nullable Channel channel() {
        return own;
    }

    private Channel carrier() {
        return own == null ? connection.control().channel() : own;
    }

    @Override
    public void open(long nowNs) {
        send = connection.prepareSend();
    }

    @Override
    public boolean isReady() {
        return send != null;
    }

    @Override
    public int bytesMax() {
        return send == null ? 0 : connection.dataMessageBytes() - SendData.DATA;
    }

    @Override
    public int queued() {
        return waiting.count();
    }

    @Override
    public int underWay() {
        return underWay + waiting.count();
    }

    @Override
    public boolean push(int slot, int length) {
        if (length > bytesMax()) {
            counters.add(send == null ? ServiceCounter.DROPPED_CLOSED : ServiceCounter.DROPPED_TOO_LONG);
            return false;
        }
        if (underWay + waiting.count() >= connection.options().sendsMax()) {
            counters.add(ServiceCounter.DROPPED_QUEUE_FULL);
            return false;
        }
        if (waiting.isEmpty() && sendNow(slot, length)) {
            return true;
        }
        if (!waiting.add(slot, length)) {
            counters.add(ServiceCounter.DROPPED_QUEUE_FULL);
            return false;
        }
        counters.add(ServiceCounter.QUEUED);
        return true;
    }

    private boolean sendNow(int slot, int length) {
        PreparedTransfer transfer = send;
        // On the control channel some room is left for messages.
        if (transfer == null || carrier().room() <= (own == null ? ControlChannel.MESSAGES : 0)) {
            return false;
        }
        long at = buffers.offset(slot) - SendData.DATA;
        // One datum for many peers: all write the same header.
        SendData.write(buffers.memory(), at, connection.version(), 0, length);
        buffers.hold(slot);
        underWay++;
        carrier().post(transfer, own == null ? TAG + slot : slot, at, SendData.messageLength(length), 0, 0);
        counters.add(ServiceCounter.DATA_SENT);
        counters.add(ServiceCounter.BYTES_SENT, length);
        return true;
    }

    @Override
    public void onSent(int slot) {
        buffers.release(slot);
        underWay--;
        connection.touch(); // something may wait for room
    }

    @Override
    public void onMessage(int buffer, int length) {
        int last = (arrivedFirst + arrivedCount++) % arrivedBuffers.length;
        arrivedBuffers[last] = buffer;
        arrivedLengths[last] = length;
        connection.onReady();
    }

    @Override
    public void onImmediate(int immediate) {
        connection.refuse(Refusal.UNEXPECTED_MESSAGE, "immediate data on a channel of SendData");
    }

    @Override
    public void onEnded() {
        connection.onPeerEnded();
    }

    @Override
    public void onFailed(String why) {
        connection.onChannelFailed("the data channel failed: " + why);
    }

    @Override
    public @Nullable Refusal onMessage(
            MessageFunction function, MemorySegment memory, long at, int length, boolean control) {
        if (function != MessageFunction.SEND_DATA || (own != null && control)) {
            return Refusal.UNEXPECTED_MESSAGE;
        }
        connection.deliver(memory, at + SendData.DATA, SendData.size(memory, at));
        return null;
    }

    @Override
    public int deliver(int most) {
        int delivered = 0;
        Channel channel = own;
        while (channel != null && delivered < most && arrivedCount > 0 && !connection.isClosed()) {
            int buffer = arrivedBuffers[arrivedFirst];
            int length = arrivedLengths[arrivedFirst];
            arrivedFirst = (arrivedFirst + 1) % arrivedBuffers.length;
            arrivedCount--;
            take(channel.memory(), channel.offset(buffer), length);
            delivered++;
            if (!connection.isClosed()) {
                channel.repost(buffer);
            }
        }
        return delivered;
    }

    private void take(MemorySegment memory, long at, int length) {
        Refusal refusal = Messages.judge(memory, at, length, connection.version());
        if (refusal == null) {
            MessageFunction function = MessageFunction.of(MessageHeader.function(memory, at));
            assert function != null : "judged";
            refusal = onMessage(function, memory, at, length, false);
        }
        if (refusal != null) {
            connection.refuse(refusal, Messages.explain(refusal, memory, at, length, connection.version()));
        }
    }

    @Override
    public int endTurn(long nowNs) {
        int done = 0;
        while (!waiting.isEmpty() && sendNow(waiting.firstSlot(), waiting.firstLength())) {
            waiting.removeFirst();
            done++;
        }
        return done + (own != null && own.flush() ? 1 : 0);
    }

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public void beginFlush() {
        counters.add(ServiceCounter.DROPPED_CLOSED, waiting.clear());
        send = null;
    }

    @Override
    public boolean isFlushed() {
        return underWay == 0 && arrivedCount == 0;
    }

    @Override
    public void close() {
        counters.add(ServiceCounter.DROPPED_CLOSED, waiting.clear());
        if (own != null) {
            own.close();
        }
    }
}
