package org.verbena.interop.exercise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.verbena.link.CapturedLink;
import org.verbena.link.Endpoint;
import org.verbena.link.Faults;
import org.verbena.link.Link;
import org.verbena.link.LossyLink;
import org.verbena.link.UdpNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Right;
import org.verbena.queue.Status;
import org.verbena.time.Clock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SharedReceiveQueue;
import org.verbena.verbs.WorkRequest;

/** An adapter at RoCEv2's port, one MiB of memory, a queue pair: data in the lower half, receives in the upper one. */
public final class ExerciseEnd implements AutoCloseable {
    static final int LENGTH = 1 << 20;
    static final int RECEIVES = LENGTH / 2;
    /** Seeds of what the two ends write. */
    static final int CLIENT = 0x10;

    static final int SERVER = 0x80;
    /** What is written atomically. */
    static final long VALUE = 0x0102030405060708L;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(LENGTH, 4096);
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final Region region;
    private final CompletionQueue completions;
    private final QueuePair queuePair;
    private final boolean lossy;

    private ExerciseEnd(Link link, Set<Right> rights, boolean sharesReceives) {
        lossy = link instanceof LossyLink;
        adapter = Adapter.open(link, AdapterOptions.DEFAULT.withName("exercise"));
        domain = adapter.createProtectionDomain();
        region = adapter.register(domain, memory, rights);
        completions = adapter.createCompletionQueue(512);
        QueuePairOptions options = QueuePairOptions.of(domain, completions);
        if (sharesReceives) {
            shared = adapter.createSharedReceiveQueue(128, 1);
            options = options.withSharedReceives(shared);
        }
        queuePair = adapter.createQueuePair(options);
        queuePair.initialize(EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC));
    }

    private @org.jspecify.annotations.Nullable SharedReceiveQueue shared;

    /** At this address, with everything allowed. */
    public static ExerciseEnd at(String address) {
        return new ExerciseEnd(link(address), EnumSet.allOf(Right.class), false);
    }

    /** The same, but peers may only read. */
    public static ExerciseEnd readOnlyAt(String address) {
        return new ExerciseEnd(link(address), EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_READ), false);
    }

    /** The same, with receives from a shared queue. */
    public static ExerciseEnd sharingReceivesAt(String address) {
        return new ExerciseEnd(link(address), EnumSet.allOf(Right.class), true);
    }

    /** The same, but so many packets of either direction are lost. */
    public static ExerciseEnd lossyAt(String address, double rate) {
        Link lossy = new LossyLink(link(address), new Seed(5), Faults.loss(rate), Faults.loss(rate));
        return new ExerciseEnd(lossy, EnumSet.allOf(Right.class), false);
    }

    /** With {@code -Dverbena.interop.capture=FILE} its packets can be looked at; each end overwrites the file. */
    static Link link(String address) {
        Link link = UdpNetwork.open(Endpoint.of(address, Endpoint.ROCE_PORT));
        String file = System.getProperty("verbena.interop.capture");
        return file == null ? link : CapturedLink.toFile(link, Path.of(file), Clock.system());
    }

    Adapter adapter() {
        return adapter;
    }

    ProtectionDomain domain() {
        return domain;
    }

    Region region() {
        return region;
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    MemorySegment memory() {
        return memory;
    }

    LocalSegment segment(long offset, long length) {
        return LocalSegment.of(region, offset, length);
    }

    RemoteMemory address() {
        return RemoteMemory.of(region);
    }

    // --- work

    void post(WorkRequest.Sending request) {
        assertTrue(queuePair.post(request), "the send queue is full");
    }

    void receiveAt(long offset, long length, long id) {
        WorkRequest.Receive receive = new WorkRequest.Receive(id, segment(offset, length));
        assertTrue(shared == null ? queuePair.post(receive) : shared.post(receive), "the receive queue is full");
    }

    /** The next completion, whatever it is. */
    public Completion next() {
        try {
            Completion completion = completions.poll(PATIENCE);
            assertNotNull(completion, () -> "no completion within " + PATIENCE + "; " + queuePair);
            return completion;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    Completion done() {
        return ends(Status.SUCCESS);
    }

    /** The next completion must have this status. */
    public Completion ends(Status status) {
        Completion completion = next();
        assertEquals(status, completion.status(), completion::toString);
        return completion;
    }

    /** Whether packets are lost on purpose: a peer that is done may leave before it has acknowledged the last message. */
    boolean isLossy() {
        return lossy;
    }

    /** Success; or the peer has left with its acknowledgement. */
    void doneOrLeft() {
        Completion completion = next();
        assertTrue(
                completion.status().success() || (lossy && completion.status() == Status.FLUSHED),
                completion::toString);
    }

    // --- contents

    static byte at(int seed, long index) {
        return (byte) (seed + index + (index >> 8));
    }

    void fill(long offset, long length, int seed) {
        for (long i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, offset + i, at(seed, i));
        }
    }

    void holds(long offset, long length, int seed, String what) {
        for (long i = 0; i < length; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, offset + i) != at(seed, i)) {
                throw new AssertionError(what + ": byte " + i + " of " + length + " is wrong");
            }
        }
    }

    int word(long offset) {
        return memory.get(INT, offset);
    }

    void word(long offset, int value) {
        memory.set(INT, offset, value);
    }

    long longAt(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    void longAt(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
    }

    @Override
    public void close() {
        adapter.close();
        arena.close();
    }
}
