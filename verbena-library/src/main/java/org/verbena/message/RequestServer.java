package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.verbena.verbs.QueuePair;

/**
 * Answers the requests of one {@link RequestChannel}. The peer may have as many requests in work as this end's options have
 * receives; further ones wait at the peer. A handler that throws answers with an error.
 *
 * <p>Any thread may call all methods. When the channel ends, handlers that are at work go on and their answers are dropped.
 */
public final class RequestServer implements AutoCloseable {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final RequestHandler handler;
    private final Executor executor;
    private @Nullable MessageChannel channel;

    private RequestServer(RequestHandler handler, Executor executor) {
        this.handler = handler;
        this.executor = executor;
    }

    /**
     * Makes a server that handles each request on a virtual thread of its own.
     *
     * @param queuePair as for {@link MessageChannel#over(QueuePair, MessageOptions)}; owned by the server from now on
     * @throws IllegalArgumentException as for {@link MessageChannel#over(QueuePair, MessageOptions)}
     * @throws IllegalStateException if the queue pair is not connected
     */
    public static RequestServer over(QueuePair queuePair, MessageOptions options, RequestHandler handler) {
        return over(queuePair, options, handler, MessageThreads::startVirtual);
    }

    /**
     * Makes a server that handles requests on the threads of an executor.
     *
     * @param executor stays the caller's; {@code Runnable::run} handles requests on the channel's thread, which is fastest for
     *     handlers that never wait
     * @throws IllegalArgumentException as for {@link MessageChannel#over(QueuePair, MessageOptions)}
     * @throws IllegalStateException if the queue pair is not connected
     */
    public static RequestServer over(
            QueuePair queuePair, MessageOptions options, RequestHandler handler, Executor executor) {
        return over(queuePair, options, handler, executor, null);
    }

    /**
     * Makes a server whose completions a dispatcher brings, together with those of other queue pairs.
     *
     * @param dispatcher stays the caller's; null for a thread of its own
     * @throws IllegalArgumentException as for {@link MessageChannel#over(QueuePair, MessageOptions, Dispatcher)}
     * @throws IllegalStateException if the queue pair is not connected, or the dispatcher is closed
     */
    public static RequestServer over(
            QueuePair queuePair,
            MessageOptions options,
            RequestHandler handler,
            Executor executor,
            @Nullable Dispatcher dispatcher) {
        var server = new RequestServer(handler, executor);
        synchronized (server) {
            server.channel = MessageChannel.over(queuePair, options, dispatcher, server.new Requests());
        }
        return server;
    }

    private synchronized MessageChannel channel() {
        return Objects.requireNonNull(channel);
    }

    /** Takes requests; each is handed to the executor after the channel's lock is left. */
    private final class Requests implements Receiver.Sink {
        @Override
        public boolean onMessage(Slot slot, ChannelState state) {
            state.afterwards(() -> execute(slot));
            return false;
        }

        @Override
        public void onEnd(ChannelException cause) {
            ended.complete(null);
        }
    }

    private void execute(Slot slot) {
        try {
            executor.execute(() -> answer(slot));
        } catch (RuntimeException refused) {
            reply(slot, RequestChannel.FLAG_ERROR, text(refused));
        }
    }

    private void answer(Slot slot) {
        int flags = 0;
        MemorySegment body;
        try {
            ByteBuffer answer = handler.handle(slot.data().asByteBuffer());
            body = MemorySegment.ofBuffer(Objects.requireNonNull(answer, "the handler returned null"));
        } catch (Exception | Error wrong) {
            flags = RequestChannel.FLAG_ERROR;
            body = text(wrong);
        }
        reply(slot, flags, body);
    }

    private static MemorySegment text(Throwable wrong) {
        String text = wrong.getMessage() == null
                ? wrong.getClass().getName()
                : wrong.getClass().getName() + ": " + wrong.getMessage();
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends an answer; one that cannot be sent becomes an error. */
    private void reply(Slot slot, int flags, MemorySegment body) {
        ChannelCore core = channel().core();
        try {
            core.sender().reply(slot, flags, slot.tag, body);
        } catch (ChannelException ended) {
            core.release(slot);
        } catch (RuntimeException refused) { // too long for the peer, or memory that cannot be registered
            replyError(core, slot, refused);
        }
    }

    private static void replyError(ChannelCore core, Slot slot, RuntimeException refused) {
        try {
            MemorySegment text = text(refused);
            long length = Math.min(text.byteSize(), core.sender().lengthMax());
            core.sender().reply(slot, RequestChannel.FLAG_ERROR, slot.tag, text.asSlice(0, length));
        } catch (ChannelException ended) {
            core.release(slot);
        }
    }

    /** Completes when no request can come any more: this end or the peer closed, or the connection failed. */
    public CompletableFuture<Void> whenEnded() {
        return ended.copy();
    }

    /** Closes the channel; the callers of the peer get {@link ChannelException}. A second call does nothing. */
    @Override
    public void close() {
        channel().close();
    }

    @Override
    public String toString() {
        return "request server over " + channel().queuePair();
    }
}
