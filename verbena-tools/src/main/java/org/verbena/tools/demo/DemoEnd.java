package org.verbena.tools.demo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import org.verbena.Operation;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.tools.link.Place;
import org.verbena.tools.perf.Pattern;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** One of the two: an adapter with some memory and a queue pair. */
final class DemoEnd implements AutoCloseable {
    /** Bytes of memory at each end. */
    static final long MEMORY = 4 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Adapter adapter;
    private final MemorySegment memory;
    private final ProtectionDomain domain;
    private final Region region;
    private final CompletionQueue completions;
    private final QueuePair queuePair;

    /** At a place, which it closes. */
    DemoEnd(String name, Place place) {
        adapter = place.open(AdapterOptions.DEFAULT.withName("demo " + name));
        memory = adapter.arena().allocate(MEMORY, 4096);
        domain = adapter.createProtectionDomain();
        region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        completions = adapter.createCompletionQueue(256);
        queuePair = adapter.createQueuePair(
                QueuePairOptions.of(domain, completions).withRegister(RegisterFailure.TERMINATE));
    }

    void connect(DemoEnd peer) {
        queuePair.connect(peer.queuePair.address(), ConnectionOptions.DEFAULT);
    }

    /** As it was before it was connected. */
    void reset() {
        queuePair.reset();
    }

    Adapter adapter() {
        return adapter;
    }

    ProtectionDomain domain() {
        return domain;
    }

    /** Its memory as the peer reaches it. */
    Region region() {
        return region;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /** Part of its memory as its own end uses it: the registration table knows it, or registers it. */
    LocalSegment segment(long offset, long length) {
        return LocalSegment.of(memory.asSlice(offset, length));
    }

    RemoteMemory remote(long offset) {
        return RemoteMemory.of(region).plus(offset);
    }

    void post(WorkRequest.Sending request) {
        Wrong.unless(queuePair.post(request), "the send queue is full");
    }

    void post(WorkRequest.Receive request) {
        Wrong.unless(queuePair.post(request), "the receive queue is full");
    }

    /** The next completion, whatever it is. */
    Completion next() {
        try {
            Completion completion = completions.poll(PATIENCE);
            if (completion == null) {
                throw new Wrong("no completion within " + PATIENCE.toSeconds() + " s");
            }
            return completion;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Wrong("interrupted");
        }
    }

    /** The next completion, which must be a success of this operation. */
    Completion done(Operation operation) {
        Completion completion = next();
        Wrong.unless(
                completion.status() == Status.SUCCESS && completion.operation() == operation,
                completion.operation() + " ended with " + completion.status().text() + ", " + operation
                        + " and success expected");
        return completion;
    }

    /** Fills a part of its memory with bytes that are like no other message's. */
    void fill(long offset, long length, long message) {
        Pattern.fill(memory, offset, length, message);
    }

    void clear(long offset, long length) {
        memory.asSlice(offset, length).fill((byte) 0);
    }

    /** The same part of the message must be here. */
    void expect(long offset, long length, long message) {
        long wrong = Pattern.mismatch(memory, offset, length, message);
        Wrong.unless(wrong == Pattern.NONE, "byte " + wrong + " of " + length + " is wrong");
    }

    /** These bytes must be the same as those of another part of the other end's memory. */
    void expectSame(long offset, DemoEnd other, long otherOffset, long length) {
        long wrong = memory.asSlice(offset, length).mismatch(other.memory.asSlice(otherOffset, length));
        Wrong.unless(wrong == -1, "byte " + wrong + " of " + length + " is wrong");
    }

    /** The first bytes here must be all those of other memory. */
    void expectSame(long offset, MemorySegment other) {
        long wrong = memory.asSlice(offset, other.byteSize()).mismatch(other);
        Wrong.unless(wrong == -1, "byte " + wrong + " of " + other.byteSize() + " is wrong");
    }

    boolean holds(long offset, byte[] bytes) {
        return memory.asSlice(offset, bytes.length).mismatch(MemorySegment.ofArray(bytes)) == -1;
    }

    long word(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    @Override
    public void close() {
        adapter.close(); // frees its memory too
    }
}
