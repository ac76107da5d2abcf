package org.verbena.interop.exercise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.wrap.CapturedLink;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.IwarpOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SharedReceiveQueue;
import org.verbena.verbs.WorkRequest;

/** An adapter at RoCEv2's port or over TCP, one MiB of memory, a queue pair: data in the lower half, receives in the upper one. */
public final class ExerciseEnd implements AutoCloseable {
    static final int LENGTH = 1 << 20;
    static final int RECEIVES = LENGTH / 2;
    /** Seeds of the contents that the two ends write. */
    static final int CLIENT = 0x10;

    static final int SERVER = 0x80;
    /** The value of atomic writes. */
    static final long VALUE = 0x0102030405060708L;

    private static final Set<Counter> FAULTS = EnumSet.of(
            Counter.SEND_PAGE_FAULTS,
            Counter.WRITE_PAGE_FAULTS,
            Counter.ATOMIC_PAGE_FAULTS,
            Counter.RESPONSE_PAGE_FAULTS,
            Counter.GATHER_PAGE_FAULTS,
            Counter.LANDING_PAGE_FAULTS);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static int captures;

    private final ExerciseMemory memory;
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final Region region;
    private final CompletionQueue completions;
    private final QueuePair queuePair;
    private final boolean lossy;

    private ExerciseEnd(Link link, ExerciseMemory memory, Set<Right> rights, boolean sharesReceives) {
        this(
                Adapter.open(link, AdapterOptions.DEFAULT.withName("exercise")),
                link instanceof LossyLink,
                memory,
                rights,
                sharesReceives);
    }

    private ExerciseEnd(
            Adapter adapter, boolean lossy, ExerciseMemory memory, Set<Right> rights, boolean sharesReceives) {
        this.memory = memory;
        this.lossy = lossy;
        this.adapter = adapter;
        domain = adapter.createProtectionDomain();
        region = memory.register(adapter, domain, rights);
        completions = adapter.createCompletionQueue(512);
        QueuePairOptions options = QueuePairOptions.of(domain, completions).withRegister(RegisterFailure.TERMINATE);
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
        return new ExerciseEnd(link(address), new ExerciseMemory.Plain(), EnumSet.allOf(Right.class), false);
    }

    /** The same, with memory that is swapped in and out under its registration. */
    public static ExerciseEnd overcommittedAt(String address) {
        return new ExerciseEnd(link(address), new ExerciseMemory.Overcommitted(), EnumSet.allOf(Right.class), false);
    }

    /** The same, with this rate of loss in each direction. */
    public static ExerciseEnd overcommittedLossyAt(String address, double rate) {
        Link lossy = new LossyLink(link(address), new Seed(6), LinkFaults.loss(rate), LinkFaults.loss(rate));
        return new ExerciseEnd(lossy, new ExerciseMemory.Overcommitted(), EnumSet.allOf(Right.class), false);
    }

    /** The same, but peers may only read. */
    public static ExerciseEnd readOnlyAt(String address) {
        return new ExerciseEnd(
                link(address), new ExerciseMemory.Plain(), EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_READ), false);
    }

    /** The same, with receives from a shared queue. */
    public static ExerciseEnd sharingReceivesAt(String address) {
        return new ExerciseEnd(link(address), new ExerciseMemory.Plain(), EnumSet.allOf(Right.class), true);
    }

    /** The same, with this rate of loss in each direction. */
    public static ExerciseEnd lossyAt(String address, double rate) {
        Link lossy = new LossyLink(link(address), new Seed(5), LinkFaults.loss(rate), LinkFaults.loss(rate));
        return new ExerciseEnd(lossy, new ExerciseMemory.Plain(), EnumSet.allOf(Right.class), false);
    }

    /** Over iWARP at this address, with everything allowed. */
    public static ExerciseEnd iwarpAt(String address, IwarpOptions how) {
        return iwarp(address, how, new ExerciseMemory.Plain(), EnumSet.allOf(Right.class), false);
    }

    /** The same, but peers may only read. */
    public static ExerciseEnd readOnlyIwarpAt(String address, IwarpOptions how) {
        return iwarp(address, how, new ExerciseMemory.Plain(), EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_READ), false);
    }

    /** The same, with everything allowed and receives from a shared queue. */
    public static ExerciseEnd sharingReceivesIwarpAt(String address, IwarpOptions how) {
        return iwarp(address, how, new ExerciseMemory.Plain(), EnumSet.allOf(Right.class), true);
    }

    /** The same, with memory that is swapped in and out under its registration. */
    public static ExerciseEnd overcommittedIwarpAt(String address, IwarpOptions how) {
        return iwarp(address, how, new ExerciseMemory.Overcommitted(), EnumSet.allOf(Right.class), false);
    }

    private static ExerciseEnd iwarp(
            String address, IwarpOptions how, ExerciseMemory memory, Set<Right> rights, boolean sharesReceives) {
        Adapter adapter = Adapter.open(
                new InetSocketAddress(InetAddress.ofLiteral(address), 0),
                AdapterOptions.DEFAULT.withName("exercise").withWire(Wire.IWARP).withIwarp(how));
        return new ExerciseEnd(adapter, false, memory, rights, sharesReceives);
    }

    /** With {@code -Dverbena.interop.capture=FILE} its packets can be looked at: in FILE.1 those of the first end, and so on. */
    static Link link(String address) {
        Link link = UdpNetwork.open(Endpoint.of(address, Endpoint.ROCE_PORT));
        String file = System.getProperty("verbena.interop.capture");
        return file == null ? link : CapturedLink.toFile(link, Path.of(file + "." + ++captures), NanoClock.system());
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

    /** Memory that is registered a second time. */
    MemorySegment plainMemory() {
        return memory.plain();
    }

    /** Number of page faults that the peer's requests and our own have met so far. */
    public long pageFaults() {
        return FAULTS.stream().mapToLong(this::counted).sum();
    }

    /** Number of pages that were swapped out and needed no page fault, because an access overwrote the whole page. */
    public long overwrites() {
        return memory.overwrites();
    }

    /** Value of one of the adapter's counters. */
    public long counted(Counter counter) {
        return adapter.counters().value(counter);
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
            assertNotNull(
                    completion,
                    () -> "no completion within " + PATIENCE + "; " + queuePair + "; "
                            + adapter.counters().snapshot() + "; " + memory);
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

    /** The queue pair must fail, with an event whose detail has this part. */
    public void failsWith(EventKind kind, String part) {
        try {
            AsyncEvent event = adapter.events().poll(PATIENCE);
            while (event != null && event.kind() == EventKind.COMMUNICATION_ESTABLISHED) {
                event = adapter.events().poll(PATIENCE);
            }
            assertNotNull(event, "no event within " + PATIENCE);
            assertEquals(kind, event.kind(), event::toString);
            assertTrue(event.detail().contains(part), event::toString);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        assertEquals(QueuePairState.ERROR, queuePair.state());
    }

    /** Whether packets are lost on purpose: a peer that is done may leave before it has acknowledged the last message. */
    boolean isLossy() {
        return lossy;
    }

    /** Whether the peer is reached over iWARP. */
    boolean isIwarp() {
        return adapter.wire() == Wire.IWARP;
    }

    /** Success; or the peer has left with its acknowledgement. */
    void doneOrLeft() {
        Completion completion = next();
        assertTrue(
                completion.status().success() || (lossy && completion.status() == Status.FLUSHED),
                completion::toString);
    }

    // --- contents

    /** Swaps out the pages of a range, if the memory is paged. No access to them is under way. */
    void swapOut(long offset, long length) {
        memory.swapOut(offset, length);
    }

    /** Swaps out all memory of the exercise, if it is paged: the first access to each page then needs the page store. */
    void swapOut() {
        swapOut(0, LENGTH);
    }

    static byte at(int seed, long index) {
        return (byte) (seed + index + (index >> 8));
    }

    void fill(long offset, long length, int seed) {
        byte[] bytes = new byte[(int) length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(seed, i);
        }
        memory.write(offset, bytes);
    }

    void clear(long offset, int length) {
        memory.write(offset, new byte[length]);
    }

    byte[] bytes(long offset, int length) {
        byte[] bytes = new byte[length];
        memory.read(offset, bytes);
        return bytes;
    }

    void holds(long offset, long length, int seed, String what) {
        byte[] found = bytes(offset, (int) length);
        for (int i = 0; i < length; i++) {
            if (found[i] != at(seed, i)) {
                throw new AssertionError(what + ": byte " + i + " of " + length + " is wrong");
            }
        }
    }

    int word(long offset) {
        return ByteBuffer.wrap(bytes(offset, Integer.BYTES)).getInt();
    }

    void word(long offset, int value) {
        memory.write(offset, ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }

    long longAt(long offset) {
        return ByteBuffer.wrap(bytes(offset, Long.BYTES))
                .order(ByteOrder.nativeOrder())
                .getLong();
    }

    void longAt(long offset, long value) {
        memory.write(
                offset,
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(value)
                        .array());
    }

    @Override
    public void close() {
        adapter.close();
        region.close();
        memory.close();
    }
}
