package org.verbena.interop.exercise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.connect.DatagramPeer;
import org.verbena.link.Endpoint;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.DatagramHeader;
import org.verbena.verbs.DatagramOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;

/** An adapter at RoCEv2's port with one datagram queue pair that has the Q_Key of rdma_cm. */
public final class DatagramEnd implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SLOT = 8192;
    private static final int SLOTS = 64;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate((long) SLOT * SLOTS, 4096);
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final Region region;
    private final CompletionQueue completions;
    private final QueuePair queuePair;

    /** At this address, with as many receives as datagrams will come. */
    public DatagramEnd(String address, int receives) {
        adapter = Adapter.open(ExerciseEnd.link(address), AdapterOptions.DEFAULT.withName("datagrams"));
        domain = adapter.createProtectionDomain();
        region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_WRITE));
        completions = adapter.createCompletionQueue(2 * SLOTS);
        queuePair =
                adapter.createQueuePair(QueuePairOptions.of(domain, completions).withService(Service.UD));
        queuePair.activate(DatagramOptions.of(DatagramPeer.QKEY));
        for (int i = 1; i <= receives; i++) {
            LocalSegment into = LocalSegment.of(region, (long) i * SLOT, SLOT);
            assertTrue(queuePair.post(new WorkRequest.Receive(i, into)), "the receive queue is full");
        }
    }

    public Adapter adapter() {
        return adapter;
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** Sends datagrams one after the other; the immediate data of each is our number, to which the kernel's programs answer. */
    public void send(int count, int size, Endpoint to, int target) {
        try (AddressHandle handle = adapter.createAddressHandle(domain, to)) {
            for (int i = 0; i < count; i++) {
                Payload data = Payload.of(LocalSegment.of(region, 0, size));
                assertTrue(
                        queuePair.post(new WorkRequest.SendDatagramWithImmediate(
                                0, data, handle, target, DatagramPeer.QKEY, queuePair.number(), SendOptions.SIGNALLED)),
                        "the send queue is full");
                Completion sent = next();
                assertEquals(0, sent.id(), sent::toString);
            }
        }
    }

    /** Receives datagrams of a kernel's program, which have its queue pair's number as immediate data; returns that number. */
    public int receive(int count, int size, String from, String to) {
        int source = 0;
        for (int i = 1; i <= count; i++) {
            Completion received = next();
            assertEquals(i, received.id(), received::toString);
            assertEquals(DatagramHeader.LENGTH + size, received.byteLength(), received::toString);
            assertEquals(received.sourceQueuePair(), received.immediate(), received::toString);
            DatagramHeader header = DatagramHeader.read(memory, received.id() * SLOT);
            assertEquals(Endpoint.of(from, Endpoint.ROCE_PORT), header.answerTo());
            assertEquals(Endpoint.of(to, 0).address(), header.target().address());
            source = sourceOf(received);
        }
        return source;
    }

    private static int sourceOf(Completion received) {
        Integer number = received.sourceQueuePair();
        assertNotNull(number, received::toString);
        return number;
    }

    private Completion next() {
        try {
            Completion completion = completions.poll(PATIENCE);
            assertNotNull(
                    completion,
                    () -> "no completion within " + PATIENCE + "; "
                            + adapter.counters().snapshot());
            assertEquals(Status.SUCCESS, completion.status(), completion::toString);
            return completion;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        adapter.close();
        arena.close();
    }
}
