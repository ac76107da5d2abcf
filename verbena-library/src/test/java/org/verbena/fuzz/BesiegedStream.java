package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.adapter.iwarp.port.IwarpPort;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.MemoryStreams;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.stream.StreamUser;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.IwarpOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.MpaHeader;

/**
 * An adapter over iWARP with a listener, a peer that sends it any bytes, and a neighbour that is connected to it. The adapter has granted direct
 * memory in the middle of memory that it has not, and pages of which some are gone. One thread, virtual time.
 */
final class BesiegedStream implements AutoCloseable {
    private static final long PAGED_AT = 0x7_0000_0000L;
    private static final int PAGE = 4096;
    private static final int PAGES = 4;
    private static final int GUARD = 1024;
    private static final byte UNTOUCHED = 0x5a;
    private static final long STEP_NS = 1_000_000;
    private static final long SECOND_NS = 1_000_000_000;
    /** Longer than the limits of negotiations, of waits for a receive, and of last bytes together. */
    private static final int SECONDS_UNTIL_REST = 30;

    private static final int TURNS_MAX = 1000;

    private final VirtualClock clock = new VirtualClock(0);
    private final MemoryStreams streams = new MemoryStreams(1 << 16, 1448, 0, new Seed(1));
    private final SimulatedPageStore store = new SimulatedPageStore(clock, new ServiceTime(STEP_NS, 0, 0), new Seed(5));
    private final Hypervisor hypervisor =
            Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
    private final ManagedMemory paged = hypervisor.host().allocate((long) PAGES * PAGE);
    private final MemorySegment direct = Arena.ofAuto().allocate(3L * GUARD, 8).fill(UNTOUCHED);
    private final Adapter adapter = open("besieged", 1);
    private final CompletionQueue completions = adapter.createCompletionQueue(256);
    private final Region granted = adapter.register(direct.asSlice(GUARD, GUARD), Right.values());
    private final Region pages;
    private final Listener listener;
    private final Adapter neighbour = open("neighbour", 2);
    private final CompletionQueue neighbours = neighbour.createCompletionQueue(16);
    private final MemorySegment buffer = Arena.ofAuto().allocate(64, 8);
    private final Region own = neighbour.register(buffer, Right.values());
    private final QueuePair healthy = neighbour.createQueuePair(QueuePairOptions.of(neighbours));
    private final StreamNetwork attackers;
    private final ByteStream attack;
    private @Nullable QueuePair last;

    BesiegedStream() {
        paged.write(0, MemorySegment.ofArray(new byte[PAGES * PAGE]));
        pages = adapter.register(adapter.defaultDomain(), paged, PAGED_AT, EnumSet.allOf(Right.class));
        listener = Listener.open(
                adapter,
                new InetSocketAddress(adapter.endpoint().address(), 0),
                ListenerOptions.DEFAULT,
                this::onRequest);
        CompletableFuture<Connection> connecting =
                Connector.connectAsync(neighbour, listener.address(), healthy, ConnectorOptions.DEFAULT);
        for (int turn = 0; !connecting.isDone(); turn++) {
            assertTrue(turn < TURNS_MAX, "the neighbour has no connection");
            turn();
        }
        connecting.join();
        assertEquals(0, Eviction.evict(hypervisor, store, paged, 1, 2));
        attackers = streams.open(Endpoint.of("192.0.2.9", 0).address());
        attack = attackers.connect(Endpoint.of(listener.address()), 0, new StreamUser() {
            @Override
            public void onReadable() {}

            @Override
            public void onWritable() {}
        });
        turn();
    }

    private Adapter open(String name, int host) {
        return Adapter.open(
                streams.open(Endpoint.of("192.0.2." + host, 0).address()),
                clock,
                AdapterOptions.DEFAULT
                        .withName(name)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withSeed(host)
                        .withIwarp(IwarpOptions.DEFAULT.withCrc(false)));
    }

    private void onRequest(ConnectionRequest request) {
        QueuePair made = adapter.createQueuePair(QueuePairOptions.of(completions));
        made.initialize(EnumSet.allOf(Right.class));
        for (int i = 0; i < 4; i++) {
            made.post(new WorkRequest.Receive(i, List.of(LocalSegment.of(granted, 0, 256))));
        }
        request.accept(made, AcceptOptions.DEFAULT);
        last = made;
    }

    private void turn() {
        clock.advance(STEP_NS);
        store.work(clock.nowNs());
        adapter.work(clock.nowNs());
        neighbour.work(clock.nowNs());
        for (int i = 0; i < 256 && completions.poll() != null; i++) {
            adapter.work(clock.nowNs());
        }
    }

    /** Sends a request without check sums and has it accepted; the adapter then wants to read from the peer. */
    void agree() {
        byte[] frame = new byte[MpaHeader.LENGTH];
        new MpaHeader(false, false, false, false, false, MpaHeader.REVISION_1, 0)
                .write(MemorySegment.ofArray(frame), 0);
        last = null;
        send(frame, 0, frame.length);
        send(frame, 0, 0);
        QueuePair attacked = last;
        assertNotNull(attacked, "the request was not accepted");
        attacked.post(new WorkRequest.Read(9, LocalSegment.of(granted, 512, 100), new RemoteMemory(0x1000, 0x1234)));
    }

    /** The peer sends bytes and reads what there is. */
    void send(byte[] bytes, int from, int length) {
        attack.write(ByteBuffer.wrap(bytes, from, length));
        turn();
        attack.read(ByteBuffer.allocate(1 << 14));
        turn();
    }

    /** Nothing was harmed, and nothing is left of the stream when the peer has closed it. */
    void check() {
        for (int i = 0; i < GUARD; i++) {
            assertEquals(UNTOUCHED, direct.get(ValueLayout.JAVA_BYTE, i), "a byte that was not granted");
            assertEquals(UNTOUCHED, direct.get(ValueLayout.JAVA_BYTE, 2L * GUARD + i), "a byte that was not granted");
        }
        exchange();
        attack.close();
        for (int second = 0; second < SECONDS_UNTIL_REST; second++) {
            clock.advance(SECOND_NS);
            turn();
            turn();
        }
        exchange();
        IwarpPort port = Openings.iwarp(adapter);
        assertEquals(0, port.buffersTaken(), "buffers");
        assertEquals(1, port.streams(), "streams, that of the neighbour included");
        assertEquals(0, port.openings(), "streams without an agreement");
        assertEquals(0, adapter.faultsOpen(), "page faults");
        assertEquals(0, adapter.landingsHeld(), "landings");
        assertEquals(0, Eviction.evict(hypervisor, store, paged, 0, PAGES), "pages that are leased");
    }

    /** The neighbour sends, writes and reads back. */
    private void exchange() {
        long value = clock.nowNs();
        buffer.set(ValueLayout.JAVA_LONG, 0, value);
        RemoteMemory there = RemoteMemory.of(granted).plus(GUARD - 8);
        healthy.post(new WorkRequest.Write(1, LocalSegment.of(own, 0, 8), there));
        healthy.post(new WorkRequest.Read(2, LocalSegment.of(own, 8, 8), there));
        for (int turn = 0; turn < 10; turn++) {
            turn();
        }
        expect(Operation.WRITE);
        expect(Operation.READ);
        assertEquals(value, buffer.get(ValueLayout.JAVA_LONG, 8));
    }

    private void expect(Operation operation) {
        Completion found = neighbours.poll();
        assertNotNull(found, () -> "the neighbour waits for its " + operation);
        assertEquals(Status.SUCCESS, found.status());
        assertEquals(operation, found.operation());
    }

    @Override
    public void close() {
        adapter.close();
        neighbour.close();
        attackers.close();
        pages.close();
        paged.close();
        hypervisor.close();
    }
}
