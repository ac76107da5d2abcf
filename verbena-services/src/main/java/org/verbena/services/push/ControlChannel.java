package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.BufferRecvPool;
import org.verbena.services.push.wire.BufferRecvPoolGet;
import org.verbena.services.push.wire.CfgUtilReply;
import org.verbena.services.push.wire.CfgUtilRequest;
import org.verbena.services.push.wire.MessageFunction;
import org.verbena.services.push.wire.MessageHeader;
import org.verbena.services.push.wire.Messages;
import org.verbena.services.push.wire.Refusal;
import org.verbena.services.push.wire.UpdateBuilder;
import org.verbena.verbs.PreparedTransfer;

/** Channel 0 of a service connection: messages about pools, requests and replies, and data if there is no other channel. */
final class ControlChannel implements Channel.User {
    /** Messages under way in each direction at most. */
    static final int MESSAGES = 32;
    /** Requests of this end without a reply at most, the layer's own included. */
    static final int REQUESTS_MAX = 8;
    /** Buffers that only replies may use: so a request of the peer never waits for messages of this end. */
    private static final int REPLIES = REQUESTS_MAX;
    /** Status of a reply to an operation of the layer that this version does not know. */
    private static final int STATUS_UNKNOWN = -1;

    private final ServiceConnection connection;
    private final ServiceCounters counters;
    private final Channel channel;
    private final MessageBuffers messages;
    private final PreparedTransfer message;
    private final UpdateBuilder update = new UpdateBuilder();
    private final ReplyWriter reply = new ReplyWriter();

    /** Messages that are received and not worked off, in order. */
    private final int[] waitingBuffers;

    private final int[] waitingLengths;
    private int waitingFirst;
    private int waitingCount;

    private final long[] requests = new long[REQUESTS_MAX];
    private int requestCount;
    private long lastContext;
    private long echoContext;

    /** @param sends data under way at most, if data go on this channel; else 0 */
    ControlChannel(ServiceConnection connection, int sends) {
        this.connection = connection;
        this.counters = connection.counters();
        ServiceOptions options = connection.options();
        int receives = sends == 0 ? MESSAGES : Math.max(MESSAGES, Math.min(sends, SendPath.RECEIVES_MAX));
        this.channel = connection.createChannel(
                options.control().service(), MESSAGES + sends, receives, options.messageBytesMax(), this);
        this.messages = connection.createMessages(channel, MESSAGES, options.messageBytesMax());
        this.message = PreparedTransfer.send(messages.region());
        this.waitingBuffers = new int[receives];
        this.waitingLengths = new int[receives];
    }

    Channel channel() {
        return channel;
    }

    // --- what has arrived

    @Override
    public void onSent(int tag) {
        if (tag >= SendPath.TAG) {
            connection.onDataSent(tag - SendPath.TAG);
        } else {
            messages.release(tag);
        }
        connection.touch(); // something may wait for room
    }

    @Override
    public void onMessage(int buffer, int length) {
        connection.onHeard();
        int last = (waitingFirst + waitingCount++) % waitingBuffers.length;
        waitingBuffers[last] = buffer;
        waitingLengths[last] = length;
        connection.onReady();
    }

    @Override
    public void onImmediate(int immediate) {
        connection.onHeard();
        connection.refuse(Refusal.UNEXPECTED_MESSAGE, "immediate data on the control channel");
    }

    @Override
    public void onEnded() {
        connection.onPeerEnded();
    }

    @Override
    public void onFailed(String why) {
        connection.onChannelFailed("the control channel failed: " + why);
    }

    /** Works off messages that have arrived, as far as replies can be sent; their number. */
    int work() {
        int done = 0;
        while (waitingCount > 0 && hasReplyRoom() && !connection.isClosed()) {
            int buffer = waitingBuffers[waitingFirst];
            int length = waitingLengths[waitingFirst];
            if (!mayTake(channel.offset(buffer), length)) {
                break;
            }
            waitingFirst = (waitingFirst + 1) % waitingBuffers.length;
            waitingCount--;
            take(channel.memory(), channel.offset(buffer), length);
            done++;
            if (!connection.isClosed()) {
                channel.repost(buffer);
            }
        }
        return done;
    }

    /** Whether it is time for a message: those for the user that are faster than the last step of the handshake wait for it. */
    private boolean mayTake(long at, int length) {
        if (connection.wasOpened() || length < CfgUtilRequest.DATA) {
            return connection.version() != 0;
        }
        MessageFunction function = MessageFunction.of(MessageHeader.function(channel.memory(), at));
        boolean forUser = function == MessageFunction.SEND_DATA
                || (function == MessageFunction.CFG_UTIL_REQUEST
                        && CfgUtilRequest.operation(channel.memory(), at) != CfgUtilRequest.ECHO);
        return connection.version() != 0 && !forUser;
    }

    /** The channel has failed, or the peer has closed it: delivers data that arrived before, and ignores other messages. */
    void deliverRest() {
        while (waitingCount > 0 && !connection.isClosed()) {
            MemorySegment memory = channel.memory();
            long at = channel.offset(waitingBuffers[waitingFirst]);
            int length = waitingLengths[waitingFirst];
            waitingFirst = (waitingFirst + 1) % waitingBuffers.length;
            waitingCount--;
            if (Messages.judge(memory, at, length, connection.version()) == null
                    && MessageFunction.of(MessageHeader.function(memory, at)) == MessageFunction.SEND_DATA) {
                take(memory, at, length);
            }
        }
    }

    private void take(MemorySegment memory, long at, int length) {
        Refusal refusal = Messages.judge(memory, at, length, connection.version());
        if (refusal == null) {
            MessageFunction function = MessageFunction.of(MessageHeader.function(memory, at));
            assert function != null : "judged";
            refusal = switch (function) {
                case CFG_UTIL_REQUEST -> onRequest(memory, at);
                case CFG_UTIL_REPLY -> onReply(memory, at);
                case BUFFER_RDMA_INDICATE -> Refusal.UNEXPECTED_MESSAGE;
                default -> connection.onDataMessage(function, memory, at, length);
            };
        }
        if (refusal != null) {
            connection.refuse(refusal, Messages.explain(refusal, memory, at, length, connection.version()));
        } else {
            counters.add(ServiceCounter.MESSAGES_RECEIVED);
        }
    }

    // --- requests of the peer

    private @Nullable Refusal onRequest(MemorySegment memory, long at) {
        int operation = CfgUtilRequest.operation(memory, at);
        int size = CfgUtilRequest.size(memory, at);
        long data = at + CfgUtilRequest.DATA;
        if (size > connection.requestBytesMax()) {
            return Refusal.SIZE_TOO_LARGE;
        }
        int buffer = messages.take();
        long to = messages.offset(buffer);
        int status = 0;
        reply.begin(messages.memory(), to + CfgUtilReply.DATA, connection.messageBytes() - CfgUtilReply.DATA);
        if (operation == CfgUtilRequest.ECHO) {
            MemorySegment.copy(memory, data, messages.memory(), reply.offset(), size);
            reply.length(size);
        } else if (Integer.compareUnsigned(operation, CfgUtilRequest.OPERATION_FIRST) < 0) {
            status = STATUS_UNKNOWN;
        } else {
            status = connection.onRequest(operation, memory, data, size, reply);
        }
        if (connection.isClosed()) {
            return null;
        }
        CfgUtilReply.write(
                messages.memory(), to, connection.version(), MessageHeader.context(memory, at), status, reply.length());
        send(buffer, CfgUtilReply.messageLength(reply.length()));
        return null;
    }

    private @Nullable Refusal onReply(MemorySegment memory, long at) {
        long context = MessageHeader.context(memory, at);
        if (!forgetRequest(context)) {
            return Refusal.UNKNOWN_CONTEXT;
        }
        if (context == echoContext) {
            echoContext = 0;
        } else {
            connection.onReply(
                    context,
                    CfgUtilReply.status(memory, at),
                    memory,
                    at + CfgUtilReply.DATA,
                    CfgUtilReply.size(memory, at));
        }
        return null;
    }

    // --- messages of this end

    /** A context that no other message of this end has. */
    long nextContext() {
        return ++lastContext;
    }

    /** Whether a message that is no reply can be sent. */
    boolean hasRoom() {
        return messages.freeCount() > REPLIES && channel.hasRoom();
    }

    /** Whether a message can be sent in answer to one of the peer. */
    boolean hasReplyRoom() {
        return messages.freeCount() > 0 && channel.hasRoom();
    }

    private void send(int buffer, int length) {
        channel.post(message, buffer, messages.offset(buffer), length, 0, 0);
        counters.add(ServiceCounter.MESSAGES_SENT);
    }

    /** Sends a request; its context, or 0 if that is not possible now. */
    long sendRequest(int operation, MemorySegment data, long offset, int length) {
        if (requestCount == REQUESTS_MAX || !hasRoom()) {
            return 0;
        }
        long context = nextContext();
        int buffer = messages.take();
        long at = messages.offset(buffer);
        CfgUtilRequest.write(messages.memory(), at, connection.version(), context, operation, length);
        MemorySegment.copy(data, offset, messages.memory(), at + CfgUtilRequest.DATA, length);
        send(buffer, CfgUtilRequest.messageLength(length));
        requests[requestCount++] = context;
        return context;
    }

    /** Asks for a sign of life. The question before, if it has no answer, is forgotten where it may be lost; elsewhere the answer is on its way. */
    void sendEcho() {
        if (echoContext != 0 && !connection.options().control().acknowledged()) {
            forgetRequest(echoContext);
            echoContext = 0;
        }
        if (echoContext == 0) {
            echoContext = sendRequest(CfgUtilRequest.ECHO, messages.memory(), 0, 0);
        }
    }

    /** Removes a request of this end; false if there is none with this context. */
    private boolean forgetRequest(long context) {
        for (int i = 0; i < requestCount; i++) {
            if (requests[i] == context) {
                requests[i] = requests[--requestCount];
                return true;
            }
        }
        return false;
    }

    void sendOffer(List<BufferRecvPool> pools, long context) {
        int buffer = messages.take();
        long at = messages.offset(buffer);
        MessageHeader.write(messages.memory(), at, MessageFunction.BUFFER_RECV_POOL, connection.version(), context);
        for (int i = 0; i < pools.size(); i++) {
            pools.get(i).write(messages.memory(), at, i);
        }
        send(buffer, BufferRecvPool.messageLength(pools.size()));
    }

    boolean sendGet(BufferRecvPoolGet wish) {
        if (!hasRoom()) {
            return false;
        }
        int buffer = messages.take();
        wish.write(messages.memory(), messages.offset(buffer), connection.version(), nextContext());
        send(buffer, BufferRecvPoolGet.MESSAGE_LENGTH);
        return true;
    }

    /** Returns elements of all pools, as many as one message has room for; false if no message can be sent, or there is no element. */
    boolean sendUpdate(List<IncomingPool> pools) {
        if (!hasRoom()) {
            return false;
        }
        int buffer = messages.take();
        update.begin(
                messages.memory(),
                messages.offset(buffer),
                connection.messageBytes(),
                connection.version(),
                nextContext());
        for (int i = 0; i < pools.size(); i++) {
            addTo(pools.get(i));
        }
        if (update.elements() == 0) {
            messages.release(buffer);
            return true;
        }
        send(buffer, update.length());
        counters.add(ServiceCounter.UPDATES_SENT);
        counters.add(ServiceCounter.ELEMENTS_RETURNED, update.elements());
        return true;
    }

    private void addTo(IncomingPool pool) {
        IncomingElements elements = pool.elements;
        if (pool.isEnding()) {
            return; // the peer uses it no more, or will not
        }
        int count = 0;
        while (count < elements.returnedCount() && update.add(pool.reference, elements.returned(count))) {
            count++;
        }
        elements.onUpdateSent(count);
    }

    boolean sendFlush(boolean isReply, long context, List<Integer> references) {
        if (isReply ? !hasReplyRoom() : !hasRoom()) {
            return false;
        }
        int buffer = messages.take();
        long at = messages.offset(buffer);
        send(buffer, Flushes.write(messages.memory(), at, connection.version(), isReply, context, references));
        return true;
    }

    void close() {
        channel.close();
        messages.close();
    }

    /** The reply that the user of the connection writes. */
    private static final class ReplyWriter implements ServiceReply {
        private MemorySegment memory = MemorySegment.NULL;
        private long offset;
        private int room;
        private int length;

        void begin(MemorySegment into, long at, int bytes) {
            memory = into;
            offset = at;
            room = bytes;
            length = 0;
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public int room() {
            return room;
        }

        @Override
        public void length(int bytes) {
            if (bytes < 0 || bytes > room) {
                throw new IllegalArgumentException("a reply of 0 … " + room + " bytes expected; found " + bytes);
            }
            length = bytes;
        }

        int length() {
            return length;
        }
    }
}
