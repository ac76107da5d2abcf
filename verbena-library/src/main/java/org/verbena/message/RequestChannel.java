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
import org.verbena.verbs.QueuePair;

/**
 * Requests to a {@link RequestServer}, any number at once. Each call has a time limit. Any thread may call all methods, virtual
 * threads in particular: a call that waits parks its thread. Answers come in the order in which the server gives them.
 */
public final class RequestChannel implements AutoCloseable {
    /** Flag of an answer: the handler has failed; the body is a text in UTF-8. */
    static final int FLAG_ERROR = 1;

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

    /** Takes answers; the call that waits is told by the thread that has polled its answer. */
    private final class Answers implements Receiver.Sink {
        @Override
        public boolean onMessage(Slot slot, ChannelState state) {
            if (slot.tag < 1 || slot.tag > next.get()) {
                throw new ChannelException("the peer answered request " + slot.tag
                        + ", which was not asked; asked were " + next.get() + ", numbered from 1 on");
            }
            CompletableFuture<ByteBuffer> call = calls.remove(slot.tag);
            if (call == null) {
                return true; // its time is over
            }
            boolean error = (slot.flags & FLAG_ERROR) != 0;
            if (slot.isLarge()) {
                state.afterwards(() -> takeLarge(slot, error, call));
                return false;
            }
            byte[] body = slot.data().toArray(ValueLayout.JAVA_BYTE);
            state.afterwards(() -> complete(call, error, body));
            return true;
        }

        @Override
        public void onEnd(ChannelException cause) {
            endAll(cause);
        }
    }

    private void takeLarge(Slot slot, boolean error, CompletableFuture<ByteBuffer> call) {
        try {
            complete(call, error, slot.data().toArray(ValueLayout.JAVA_BYTE));
        } catch (IllegalStateException closed) {
            call.completeExceptionally(new ChannelException("the channel is closed", closed));
        } finally {
            channel.core().release(slot);
        }
    }

    private static void complete(CompletableFuture<ByteBuffer> call, boolean error, byte[] body) {
        if (error) {
            call.completeExceptionally(new RemoteRequestException(new String(body, StandardCharsets.UTF_8)));
        } else {
            call.complete(ByteBuffer.wrap(body));
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
     * @param limit the longest wait for the answer, sending included; zero or less does not wait: the call has no answer
     * @return the answer, in a buffer of the caller's own
     * @throws TimeoutException when the time is over; the server may have worked at the request or may still do. A large request is
     *     taken back as by {@link MessageChannel#send(ByteBuffer, Duration)}, which can take as long as described there
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws RemoteRequestException if the handler at the peer has thrown an exception
     * @throws IllegalArgumentException if the peer takes no request of this length
     * @throws ChannelException if the channel has ended, before or meanwhile
     */
    public ByteBuffer call(ByteBuffer request, Duration limit) throws InterruptedException, TimeoutException {
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        long tag = register(answer);
        Outgoing queued = null;
        try {
            queued = channel.core().sender().submit(0, tag, MemorySegment.ofBuffer(request));
            if (queued != null) {
                endWith(queued, answer);
            }
            return answer.get(Durations.toNanos(limit), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw withFrames(failed);
        } catch (TimeoutException over) {
            throw late(limit, over);
        } finally {
            calls.remove(tag);
            takeBack(queued);
        }
    }

    /** A request that cannot be sent ends its call. */
    private static void endWith(Outgoing queued, CompletableFuture<ByteBuffer> answer) {
        var _ = queued.done.whenComplete((_, wrong) -> {
            if (wrong != null) {
                answer.completeExceptionally(wrong);
            }
        });
    }

    /** The request is the caller's again when this returns. */
    private void takeBack(@Nullable Outgoing queued) {
        if (queued != null && !queued.done.isDone()) {
            channel.core().sender().withdraw(queued);
            Sender.await(queued);
        }
    }

    private static TimeoutException late(Duration limit, Throwable cause) {
        TimeoutException told = new TimeoutException("no answer in " + limit);
        told.initCause(cause);
        return told;
    }

    /** The exception of an answer with the frames of the caller. */
    private static RuntimeException withFrames(ExecutionException failed) {
        Throwable inner = failed.getCause();
        Throwable cause = inner == null ? failed : inner;
        String text = String.valueOf(cause.getMessage());
        return switch (cause) {
            case RemoteRequestException remote -> new RemoteRequestException(text, remote);
            case IllegalArgumentException wrong -> new IllegalArgumentException(text, wrong);
            default -> new ChannelException(text, cause);
        };
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
     * Sends a request without waiting. Requests that cannot be sent at once wait in a queue without a bound; a program bounds it by
     * waiting for an earlier answer.
     *
     * @param request from position to limit; belongs to the channel until the future is complete
     * @param limit the longest time until the answer, sending included
     * @return completes with the answer, in a buffer of the caller's own, on the channel's thread; completes exceptionally
     *     with what {@link #call} throws. After a time-out it completes when the request is the caller's again
     */
    public CompletableFuture<ByteBuffer> callAsync(ByteBuffer request, Duration limit) {
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        CompletableFuture<ByteBuffer> result = new CompletableFuture<>();
        long tag;
        Outgoing queued;
        try {
            tag = register(answer);
        } catch (ChannelException ended) {
            return CompletableFuture.failedFuture(ended);
        }
        try {
            queued = channel.core().sender().submit(0, tag, MemorySegment.ofBuffer(request));
        } catch (RuntimeException refused) {
            calls.remove(tag);
            return CompletableFuture.failedFuture(refused);
        }
        if (queued != null) {
            endWith(queued, answer);
        }
        var _ = answer.orTimeout(Durations.toNanos(limit), TimeUnit.NANOSECONDS).whenComplete((body, wrong) -> {
            calls.remove(tag);
            Throwable told = wrong instanceof TimeoutException ? late(limit, wrong) : wrong;
            whenTakenBack(queued, () -> finish(result, body, told));
        });
        var _ = result.whenComplete((_, _) -> answer.cancel(false)); // a consumer that cancels wants no answer
        return result;
    }

    private void whenTakenBack(@Nullable Outgoing queued, Runnable then) {
        if (queued == null) {
            then.run();
            return;
        }
        if (!queued.done.isDone()) {
            channel.core().sender().withdraw(queued);
        }
        var _ = queued.done.whenComplete((_, _) -> then.run());
    }

    private static void finish(
            CompletableFuture<ByteBuffer> result, @Nullable ByteBuffer body, @Nullable Throwable wrong) {
        if (wrong != null) {
            result.completeExceptionally(wrong);
        } else {
            result.complete(body);
        }
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
