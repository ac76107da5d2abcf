package org.verbena.services.push;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.wire.BufferPoolFlush;
import org.verbena.services.push.wire.MessageHeader;
import org.verbena.services.push.wire.Refusal;

/**
 * The end of pools, whichever end asks for it. The <em>owner</em> of a pool has its memory, the <em>user</em> writes into it or reads from it. The user stops first; then
 * the owner gives the memory back.
 */
final class Flushes {
    /** References of one message at most: what a message on the data channel has room for. */
    private static final int REFERENCES_MAX = (RdmaPath.MESSAGE_BYTES - MessageHeader.LENGTH) / 4;

    /** Messages that wait to be sent at most: one for each pool of both ends, and as many again. */
    private static final int MESSAGES_MAX = 4 * Pools.POOLS_MAX;

    /**
     * A message to be sent.
     *
     * @param reply whether it is a reply; else it is a request
     * @param references of a request; of a reply, those of pools whose data go to this end
     * @param bySender whether data of this end go through the pools. Then the message goes behind the data; else it goes behind the updates
     * @param offerAgain a pool that is replaced by one of its shape when the reply is here; null for none
     */
    private record FlushMessage(
            boolean reply,
            long context,
            List<Integer> references,
            boolean bySender,
            @Nullable IncomingPool offerAgain) {}

    private final ServiceConnection connection;
    private final RdmaPath path;
    private final Pools pools;
    private final Outflow out;
    private final Inflow in;
    private final boolean acknowledged;
    private final ArrayDeque<FlushMessage> toSend = new ArrayDeque<>();
    private final List<FlushMessage> unanswered = new ArrayList<>();
    /** Pools of the peer that this end uses no more, until the owner has answered. */
    private final Set<Integer> stopped = new HashSet<>();

    Flushes(ServiceConnection connection, RdmaPath path, Pools pools, Outflow out, Inflow in) {
        this.connection = connection;
        this.path = path;
        this.pools = pools;
        this.out = out;
        this.in = in;
        this.acknowledged = connection.options().data().acknowledged();
    }

    // --- requests of this end

    /** Asks the peer to use a pool of this end no more. */
    void flush(IncomingPool pool) {
        pool.flushing = true;
        request(List.of(pool.reference), false, null);
    }

    /** The same, and offers another one of the same shape then; true. */
    boolean replace(IncomingPool pool) {
        pool.flushing = true;
        request(List.of(pool.reference), false, pool);
        return true;
    }

    /** Flushes all pools of both ends. */
    void beginAll() {
        List<Integer> received = new ArrayList<>();
        List<Integer> sent = new ArrayList<>();
        for (IncomingPool pool : in.pools()) {
            if (!pool.isEnding()) {
                pool.flushing = true;
                received.add(pool.reference);
            }
        }
        for (OutgoingPool pool : out.pools()) {
            sent.add(pool.reference());
            if (!pools.isOwn(pool.reference())) {
                out.remove(pool);
                stopped.add(pool.reference());
            }
        }
        request(received, false, null);
        request(sent, true, null);
    }

    private void request(List<Integer> references, boolean bySender, @Nullable IncomingPool offerAgain) {
        for (int from = 0; from < references.size(); from += REFERENCES_MAX) {
            List<Integer> some =
                    List.copyOf(references.subList(from, Math.min(references.size(), from + REFERENCES_MAX)));
            toSend.add(new FlushMessage(false, connection.control().nextContext(), some, bySender, offerAgain));
        }
    }

    /** Whether this end uses a pool of the peer no more, and the peer has not answered yet. */
    boolean hasStopped(int reference) {
        return stopped.contains(reference);
    }

    boolean isOver() {
        return toSend.isEmpty() && unanswered.isEmpty() && in.pools().isEmpty();
    }

    // --- messages of the peer

    @Nullable
    Refusal onRequest(MemorySegment memory, long at, int length) {
        int count = BufferPoolFlush.references(length);
        for (int i = 0; i < count; i++) {
            int reference = BufferPoolFlush.reference(memory, at, i);
            if (in.pool(reference) == null && out.pool(reference) == null && !stopped.contains(reference)) {
                return Refusal.UNKNOWN_POOL;
            }
        }
        if (toSend.size() >= MESSAGES_MAX) {
            return Refusal.TOO_MANY_POOLS;
        }
        List<Integer> received = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int reference = BufferPoolFlush.reference(memory, at, i);
            if (in.pool(reference) != null) {
                received.add(reference);
            }
            if (pools.isOwn(reference)) {
                end(reference);
            } else {
                stopUsing(reference);
            }
        }
        boolean bySender = received.size() < count;
        toSend.add(new FlushMessage(true, MessageHeader.context(memory, at), received, bySender, null));
        return null;
    }

    private void stopUsing(int reference) {
        OutgoingPool written = out.pool(reference);
        if (written != null) {
            out.remove(written);
        }
        IncomingPool read = in.pool(reference);
        if (read != null) {
            read.flushing = true;
        }
    }

    /** The peer uses a pool of this end no more. */
    private void end(int reference) {
        IncomingPool written = in.pool(reference);
        if (written != null && !written.flushed) {
            pools.onGone(written.elements.count(), written.elementBytes);
            in.onFlushed(written);
        }
        OutgoingPool read = out.pool(reference);
        if (read != null) {
            PoolMemory memory = read.memory();
            assert memory != null : "a pool of this end that the peer reads";
            out.remove(read);
            memory.close();
            pools.onGone(read.elements().count(), read.elementBytes());
            connection.counters().add(ServiceCounter.POOLS_FLUSHED);
        }
    }

    @Nullable
    Refusal onReply(long context) {
        for (Iterator<FlushMessage> each = unanswered.iterator(); each.hasNext(); ) {
            FlushMessage request = each.next();
            if (request.context == context) {
                each.remove();
                request.references.forEach(this::onAnswered);
                if (request.offerAgain != null) {
                    pools.offerAgain(request.offerAgain, connection.nowNs());
                }
                return null;
            }
        }
        return Refusal.UNKNOWN_CONTEXT;
    }

    private void onAnswered(int reference) {
        if (pools.isOwn(reference)) {
            end(reference);
            return;
        }
        stopped.remove(reference);
        IncomingPool read = in.pool(reference);
        if (read != null) {
            in.onFlushed(read);
        }
    }

    // --- sending

    /** Sends the messages that can be sent; their number. */
    int send() {
        int sent = 0;
        while (!toSend.isEmpty() && send(toSend.getFirst())) {
            FlushMessage message = toSend.removeFirst();
            if (message.reply) {
                message.references.forEach(this::forgetRead);
            } else {
                unanswered.add(message);
            }
            sent++;
        }
        return sent;
    }

    /** A pool of the peer that this end has read from, and that the peer has asked to flush, is gone. */
    private void forgetRead(int reference) {
        IncomingPool pool = in.pool(reference);
        if (pool != null && !pools.isOwn(reference)) {
            in.onFlushed(pool);
        }
    }

    private boolean send(FlushMessage message) {
        for (int i = 0; i < message.references.size() && !message.bySender; i++) {
            IncomingPool pool = in.pool(message.references.get(i));
            if (pool != null && (message.reply || pool.read != null) && pool.elements.hereCount() > 0) {
                return false; // its data first
            }
        }
        return (message.bySender && acknowledged)
                ? sendBehindWrites(message)
                : connection.control().sendFlush(message.reply, message.context, message.references);
    }

    private boolean sendBehindWrites(FlushMessage message) {
        if (!path.hasMessageRoom()) {
            return false;
        }
        int buffer = path.takeMessage();
        long at = path.messageOffset(buffer);
        path.sendMessage(
                buffer,
                write(
                        path.messageMemory(),
                        at,
                        connection.version(),
                        message.reply,
                        message.context,
                        message.references));
        return true;
    }

    /** Writes a message; its length. */
    static int write(
            MemorySegment memory, long at, int version, boolean reply, long context, List<Integer> references) {
        if (reply) {
            BufferPoolFlush.writeReply(memory, at, version, context);
            return BufferPoolFlush.REPLY_LENGTH;
        }
        BufferPoolFlush.writeRequest(memory, at, version, context);
        for (int i = 0; i < references.size(); i++) {
            BufferPoolFlush.writeReference(memory, at, i, references.get(i));
        }
        return BufferPoolFlush.requestLength(references.size());
    }
}
