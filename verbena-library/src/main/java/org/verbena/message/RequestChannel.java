package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;
import org.verbena.verbs.QueuePair;

/**
 * Requests to a {@link RequestServer}, any number at once. Each call has a time limit. Any thread may call all methods, virtual
 * threads in particular: a call that waits parks its thread. Answers come in the order in which the server gives them.
 */
public final class RequestChannel implements AutoCloseable {
    /** Flag of an answer: the handler has failed; the body is a text in UTF-8. */
    static final int FLAG_ERROR = 1;

    private static final NanoClock CLOCK = NanoClock.system();

    private final ConcurrentHashMap<Long, CompletableFuture<ByteBuffer>> calls = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final MessageChannel channel;
    private volatile @Nullable ChannelException end;

    private RequestChannel(QueuePair queuePair, MessageOptions options, @Nullable Dispatcher dispatcher) {
        this.channel = MessageChannel.over(queuePair, options, dispatcher, new Answers());
    }

    /**
     * Makes a channel with a thread of its own.
     *
     * @param queuePair as for {@link MessageChannel#over(QueuePair, MessageOptions)}; owned by the channel from now on
     * @throws IllegalArgumentException as for {@link MessageChannel#over(QueuePair, MessageOptions)}
     * @throws IllegalStateException if the queue pair is not connected
     */
    public static RequestChannel over(QueuePair queuePair, MessageOptions options) {
        return new RequestChannel(queuePair, options, null);
    }

    /**
     * Makes a channel whose completions a dispatcher brings, together with those of other queue pairs.
     *
     * @param dispatcher stays the caller's
     * @throws IllegalArgumentException as for {@link MessageChannel#over(QueuePair, MessageOptions, Dispatcher)}
     * @throws IllegalStateException if the queue pair is not connected, or the dispatcher is closed
     */
    public static RequestChannel over(QueuePair queuePair, MessageOptions options, Dispatcher dispatcher) {
        return new RequestChannel(queuePair, options, dispatcher);
    }

    /** Takes answers. */
    private final class Answers implements ChannelCore.Sink {
        @Override
        public void onMessage(Inbound.Slot slot) {
            CompletableFuture<ByteBuffer> call = calls.remove(slot.tag);
            byte[] body;
            boolean error;
            try {
                body = slot.data().toArray(ValueLayout.JAVA_BYTE);
                error = (slot.flags & FLAG_ERROR) != 0;
            } catch (IllegalStateException closed) {
                return; // the channel's memory is gone; onEnd ends the call
            }
            channel.core().release(slot);
            if (call == null) {
                return; // its time is over
            }
            if (error) {
                call.completeExceptionally(new RemoteRequestException(new String(body, StandardCharsets.UTF_8)));
            } else {
                call.complete(ByteBuffer.wrap(body));
            }
        }

        @Override
        public void onEnd(ChannelException cause) {
            endAll(cause);
        }
    }

    private void endAll(ChannelException cause) {
        end = cause;
        calls.forEach((tag, call) -> {
            if (calls.remove(tag, call)) {
                call.completeExceptionally(cause);
            }
        });
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param request from position to limit; the position stays. It may be changed when the method returns
     * @param limit the longest wait for the answer, sending included
     * @return the answer, in a buffer of the caller's own
     * @throws TimeoutException when the time is over; the server may have worked at the request or may still do
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws RemoteRequestException if the handler at the peer has thrown an exception
     * @throws IllegalArgumentException if the peer takes no request of this length
     * @throws ChannelException if the channel has ended, before or meanwhile
     */
    public ByteBuffer call(ByteBuffer request, Duration limit) throws InterruptedException, TimeoutException {
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        long tag = register(answer);
        try {
            long limitNs = Durations.toNanos(limit);
            long beganNs = CLOCK.nowNs();
            if (!channel.core().send(0, tag, MemorySegment.ofBuffer(request), limitNs)) {
                throw new TimeoutException("the server took no request in " + limit);
            }
            long leftNs = limitNs == Long.MAX_VALUE ? limitNs : limitNs - (CLOCK.nowNs() - beganNs);
            return answer.get(leftNs, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw withFrames(failed.getCause());
        } catch (TimeoutException over) {
            TimeoutException told = new TimeoutException("no answer in " + limit);
            told.initCause(over);
            throw told;
        } finally {
            calls.remove(tag);
        }
    }

    /** The exception of an answer with the frames of the caller. */
    private static RuntimeException withFrames(@Nullable Throwable cause) {
        String text = cause == null ? "unknown" : String.valueOf(cause.getMessage());
        RuntimeException told =
                cause instanceof RemoteRequestException ? new RemoteRequestException(text) : new ChannelException(text);
        if (cause != null) {
            told.initCause(cause);
        }
        return told;
    }

    private long register(CompletableFuture<ByteBuffer> answer) {
        long tag = next.incrementAndGet();
        calls.put(tag, answer);
        ChannelException ended = end;
        if (ended != null) {
            calls.remove(tag);
            throw new ChannelException(ended.getMessage(), ended);
        }
        return tag;
    }

    /**
     * Sends a request without waiting. Requests that cannot be sent at once wait in a queue without a bound.
     *
     * @param request from position to limit; belongs to the channel until the future is complete
     * @param limit the longest time until the answer, sending included
     * @return completes with the answer, in a buffer of the caller's own, on the channel's thread; completes exceptionally
     *     as {@link #call} throws
     */
    public CompletableFuture<ByteBuffer> callAsync(ByteBuffer request, Duration limit) {
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        long tag;
        try {
            tag = register(answer);
        } catch (ChannelException ended) {
            return CompletableFuture.failedFuture(ended);
        }
        var sent = channel.core().sendAsync(0, tag, MemorySegment.ofBuffer(request), null);
        var _ = sent.whenComplete((_, wrong) -> {
            if (wrong != null) {
                answer.completeExceptionally(wrong);
            }
        });
        var _ = answer.whenComplete((_, _) -> calls.remove(tag));
        return answer.orTimeout(Durations.toNanos(limit), TimeUnit.NANOSECONDS);
    }

    /** Calls that wait for an answer now. */
    public int pending() {
        return calls.size();
    }

    /** Whether requests can still be sent. */
    public boolean isOpen() {
        return channel.isOpen();
    }

    /** Closes the channel; calls that wait end with {@link ChannelException}. A second call does nothing. */
    @Override
    public void close() {
        channel.close();
    }

    @Override
    public String toString() {
        return "request channel over " + channel.queuePair();
    }
}
