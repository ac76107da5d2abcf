package org.verbena.bench.memory;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/**
 * A requester and the memory it reads and writes, at two adapters that are both driven by the one thread that measures.
 * The figures then do not depend on the placement of threads on cores. Optionally the far end has its own thread, as a server.
 */
final class Rig implements AutoCloseable {
    /** The link between the two. */
    enum Wire {
        UDP,
        IN_PROCESS;

        /** Its name in the keys of numbers. */
        String label() {
            return this == UDP ? "udp" : "in-process";
        }
    }

    /** The operation on the memory. */
    enum Action {
        WRITE,
        READ;

        String label() {
            return this == WRITE ? "write" : "read";
        }
    }

    /** Bytes of the requester's own memory, never paged: all of a request's data. */
    static final int OWN_BYTES = 8 << 20;

    private static final int CAPACITY = 64;

    private final Adapter near;
    private final Adapter far;
    private final CompletionQueue nearQueue;
    private final CompletionQueue farQueue;
    private final ProtectionDomain farDomain;
    private final List<QueuePair> queuePairs = new ArrayList<>();
    private final Completions completions = new Completions(CAPACITY);
    private final Completions farCompletions = new Completions(1);
    private final Region own;
    private final Hypervisor hypervisor;

    /** The caller owns the hypervisor and closes it after this object. */
    Rig(Wire wire, int queuePairCount, Hypervisor hypervisor) {
        this(wire, queuePairCount, hypervisor, AdapterOptions.Run.INLINE);
    }

    /** With a far end that is driven in another way. */
    Rig(Wire wire, int queuePairCount, Hypervisor hypervisor, AdapterOptions.Run farRun) {
        this.hypervisor = hypervisor;
        AdapterOptions options = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.INLINE);
        InProcessNetwork network = new InProcessNetwork();
        near = Adapter.open(wire == Wire.UDP ? UdpNetwork.open(Endpoint.of("127.0.0.1", 0)) : network.open(), options);
        far = Adapter.open(
                wire == Wire.UDP ? UdpNetwork.open(Endpoint.of("127.0.0.1", 0)) : network.open(),
                options.withRun(farRun));
        ProtectionDomain nearDomain = near.createProtectionDomain();
        farDomain = far.createProtectionDomain();
        nearQueue = near.createCompletionQueue(CAPACITY * queuePairCount);
        farQueue = far.createCompletionQueue(CAPACITY);
        for (int i = 0; i < queuePairCount; i++) {
            QueuePair one = near.createQueuePair(
                    QueuePairOptions.of(nearDomain, nearQueue).withCapacity(CAPACITY, 1));
            QueuePair other =
                    far.createQueuePair(QueuePairOptions.of(farDomain, farQueue).withCapacity(1, 1));
            one.connect(other.address(), ConnectionOptions.DEFAULT);
            other.connect(one.address(), ConnectionOptions.DEFAULT);
            queuePairs.add(one);
        }
        own = near.register(nearDomain, Arena.ofAuto().allocate(OWN_BYTES, 4096), EnumSet.allOf(Right.class));
    }

    Hypervisor hypervisor() {
        return hypervisor;
    }

    /** Memory at the far end, from address 0 of its key on. */
    Region register(ManagedMemory memory) {
        return far.register(farDomain, memory, 0, EnumSet.allOf(Right.class));
    }

    /** A request that can be posted repeatedly; its completion shows its id in {@link #id}. */
    WorkRequest.Sending request(Action action, long id, Region target, long offset, int length) {
        LocalSegment mine = LocalSegment.of(own, 0, length);
        RemoteMemory theirs = RemoteMemory.of(target).plus(offset);
        return switch (action) {
            case WRITE -> new WorkRequest.Write(id, mine, theirs);
            case READ -> new WorkRequest.Read(id, mine, theirs);
        };
    }

    void post(int queuePair, WorkRequest.Sending request) {
        if (!queuePairs.get(queuePair).post(request)) {
            throw new IllegalStateException("the send queue is full");
        }
    }

    /** A turn of both ends; returns the number of completed requests. A failed request is an exception. */
    int turn() {
        farQueue.poll(farCompletions);
        int count = nearQueue.poll(completions);
        for (int i = 0; i < count; i++) {
            Status status = completions.status(i);
            if (!status.success()) {
                throw new IllegalStateException("request " + completions.id(i) + ": " + status.text() + "; near "
                        + near.counters().snapshot() + "; far " + far.counters().snapshot() + "; "
                        + hypervisor.counters().snapshot());
            }
        }
        return count;
    }

    /** The id of a request that the last turn completed. */
    long id(int index) {
        return completions.id(index);
    }

    /** Executes one request alone; returns its duration in nanoseconds. */
    long once(int queuePair, WorkRequest.Sending request) {
        long begin = System.nanoTime();
        post(queuePair, request);
        while (turn() == 0) {
            if (System.nanoTime() - begin > 10_000_000_000L) {
                throw new IllegalStateException(request + " is not done after 10 s; near "
                        + near.counters().snapshot() + "; far " + far.counters().snapshot() + "; "
                        + hypervisor.counters().snapshot());
            }
        }
        return System.nanoTime() - begin;
    }

    /** Executes a number of requests, taken from an array in turn, a given number at a time. */
    void stream(int queuePair, WorkRequest.Sending[] requests, int count, int depth) {
        int posted = 0;
        int done = 0;
        while (done < count) {
            while (posted < count && posted - done < depth) {
                post(queuePair, requests[posted++ % requests.length]);
            }
            done += turn();
        }
    }

    /** Packets sent and received by either end. */
    long packets() {
        return nearCount(Counter.SENT_PACKETS)
                + nearCount(Counter.RECEIVED_PACKETS)
                + farCount(Counter.SENT_PACKETS)
                + farCount(Counter.RECEIVED_PACKETS);
    }

    long nearCount(Counter counter) {
        return near.counters().value(counter);
    }

    long farCount(Counter counter) {
        return far.counters().value(counter);
    }

    @Override
    public void close() {
        near.close();
        far.close();
    }
}
