package org.verbena.tools.pingpong;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.IdleStrategy;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.link.Link;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.DatagramOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.Route;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** This end: an adapter with a queue pair, one message to send and room for one that is received. */
final class PingpongEnd implements AutoCloseable {
    /** Work request ids of receives and sends. */
    static final long RECEIVE = 1;

    static final long SEND = 2;

    /** As rdma-core sets them: 67 ms and seven times, RNR for ever after 0.64 ms. */
    private static final Duration ACK_TIMEOUT = Duration.ofNanos(4096L << 14);

    private static final int RETRIES = 7;
    private static final RnrTimer RNR_TIMER = RnrTimer.atLeast(640);
    private static final Duration SLICE = Duration.ofMillis(200);
    /** Of datagrams, as rdma-core has it. */
    private static final int QKEY = 0x11111111;

    private static final byte FILLER = 0x7b;

    private final PingpongPlan plan;
    private final Arena arena = Arena.ofShared();
    private final Adapter adapter;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final QueuePair queuePair;
    private final MemorySegment outgoing;
    private final MemorySegment incoming;
    private final WorkRequest.Receive receive;
    private final Payload data;
    private WorkRequest.Sending send;

    /**
     * On a link, which it closes.
     *
     * @param echoes whether it sends the received message: both are then in the same memory
     */
    PingpongEnd(Link link, PingpongPlan plan, boolean echoes) {
        this.plan = plan;
        this.adapter = Adapter.open(
                link,
                AdapterOptions.DEFAULT
                        .withName("pingpong " + link.local())
                        .withRun(plan.events() ? AdapterOptions.Run.THREAD : AdapterOptions.Run.INLINE)
                        .withIdle(plan.events() ? IdleStrategy.PARK : IdleStrategy.SPIN));
        try {
            domain = adapter.createProtectionDomain();
            int size = plan.size();
            long landing = echoes ? 0 : size;
            MemorySegment memory = allocate(landing + plan.headerLength() + size);
            memory.fill(FILLER);
            Region region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_WRITE));
            incoming = memory.asSlice(landing + plan.headerLength(), size);
            outgoing = echoes ? incoming : memory.asSlice(0, size);
            receive = new WorkRequest.Receive(RECEIVE, LocalSegment.of(region, landing, plan.headerLength() + size));
            data = Payload.of(LocalSegment.of(region, echoes ? plan.headerLength() : 0, size));
            send = new WorkRequest.Send(SEND, data, SendOptions.SIGNALLED);
            completions = adapter.createCompletionQueue(plan.receives() + 2);
            queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                    .withService(plan.service().service())
                    .withCapacity(2, plan.receives())
                    .withSegmentsMax(1)
                    .withInlineMax(0));
            if (plan.isDatagram()) {
                queuePair.activate(DatagramOptions.of(QKEY));
            } else {
                queuePair.initialize(Set.of());
            }
        } catch (RuntimeException e) {
            adapter.close();
            arena.close();
            throw e;
        }
    }

    private MemorySegment allocate(long bytes) {
        try {
            return arena.allocate(bytes, 4096);
        } catch (OutOfMemoryError e) {
            throw new ToolException("cannot allocate " + bytes + " bytes of memory for messages", e);
        }
    }

    PingpongAddress address() {
        return PingpongAddress.of(queuePair.address());
    }

    void connect(PingpongAddress peer) {
        QueuePairAddress there = peer.queuePair();
        Route route = Route.DEFAULT.withServiceLevel(plan.serviceLevel());
        if (plan.isDatagram()) {
            AddressHandle handle = adapter.createAddressHandle(domain, there.endpoint(), route);
            send = new WorkRequest.SendDatagram(SEND, data, handle, there.number(), QKEY, SendOptions.SIGNALLED);
            return;
        }
        ConnectionOptions how = ConnectionOptions.DEFAULT
                .withMtu(plan.mtu())
                .withReads(1, 1)
                .withRetries(RETRIES, ACK_TIMEOUT)
                .withRnr(RETRIES, RNR_TIMER)
                .withRoute(route)
                .withRemoteRights(Set.of());
        queuePair.readyToReceive(there, how);
        queuePair.readyToSend(how);
    }

    void postReceive() {
        if (!queuePair.post(receive)) {
            throw new ToolException("the receive queue is full");
        }
    }

    void postSend() {
        if (!queuePair.post(send)) {
            throw new ToolException("the send queue is full");
        }
    }

    /** The next completion, or null if none came within a moment. */
    @Nullable
    Completion poll() {
        if (!plan.events()) {
            return completions.poll();
        }
        try {
            return completions.poll(SLICE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        }
    }

    /** The message to send. */
    MemorySegment outgoing() {
        return outgoing;
    }

    /** The message received last. */
    MemorySegment incoming() {
        return incoming;
    }

    @Override
    public void close() {
        adapter.close();
        arena.close();
    }
}
