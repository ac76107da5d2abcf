package org.verbena.bench.figures;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.MemoryStreams;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * What the engine of an adapter over iWARP does for local requests: a program that prints one number. The engine is run by hand, over streams in memory;
 * only its turns are measured, posting and polling are not.
 *
 * <p>Arguments: {@code WHAT UNIT}. {@code register} enables a reserved region of 64 pages; {@code bind} binds a window and invalidates it. {@code ns} is the time of each,
 * the best of many rounds; {@code bytes} is what the engine allocates for each.
 */
final class LocalWorkCost {
    private static final int REQUESTS = 64;
    private static final long REGION_BYTES = 64 * 4096;
    private static final int ROUNDS = 20_000;
    private static final long TURN_NS = 1000;

    private final VirtualClock clock = new VirtualClock(1_000_000);
    private final MemoryStreams streams = new MemoryStreams(1 << 16, 1448, 0, new Seed(1));
    private final Adapter near = open("192.0.2.1");
    private final Adapter far = open("192.0.2.2");
    private final ProtectionDomain domain = near.createProtectionDomain();
    private final CompletionQueue completionQueue = near.createCompletionQueue(4 * REQUESTS);
    private final QueuePair queuePair = near.createQueuePair(QueuePairOptions.of(domain, completionQueue)
            .withCapacity(2 * REQUESTS, 1)
            .withRegister(RegisterFailure.TERMINATE));
    private final Completions completions = new Completions(4 * REQUESTS);
    private final List<WorkRequest.Sending> begin = new ArrayList<>();
    private final List<WorkRequest.Sending> end = new ArrayList<>();

    private LocalWorkCost() {
        connect();
    }

    /** Prints one number. */
    public static void main(String... arguments) {
        LocalWorkCost cost = new LocalWorkCost();
        boolean bind = arguments[0].equals("bind");
        if (bind) {
            cost.prepareWindows();
        } else {
            cost.prepareRegions();
        }
        double value = arguments[1].equals("ns") ? cost.ns(bind) : cost.bytes(bind);
        System.out.printf(Locale.ROOT, "%.3f%n", value);
    }

    private Adapter open(String address) {
        return Adapter.open(
                streams.open(Endpoint.of(address, 0).address()),
                clock,
                AdapterOptions.DEFAULT.withName(address).withRun(AdapterOptions.Run.MANUAL));
    }

    private void connect() {
        QueuePair other =
                far.createQueuePair(QueuePairOptions.of(far.createProtectionDomain(), far.createCompletionQueue(4)));
        try (Listener listener = Listener.open(
                far,
                new InetSocketAddress("192.0.2.2", 0),
                ListenerOptions.DEFAULT,
                request -> request.accept(other, AcceptOptions.DEFAULT))) {
            CompletableFuture<Connection> connected =
                    Connector.connectAsync(near, listener.address(), queuePair, ConnectorOptions.DEFAULT);
            while (!connected.isDone()) {
                turn();
            }
            Connection _ = connected.join();
        }
    }

    private void turn() {
        clock.advance(TURN_NS);
        int _ = near.work(clock.nowNs()) + far.work(clock.nowNs());
    }

    private void prepareRegions() {
        Set<Right> rights = EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE, Right.REMOTE_READ);
        for (int i = 0; i < REQUESTS; i++) {
            MemorySegment memory = Arena.ofAuto().allocate(REGION_BYTES, 4096);
            Region region = near.reserve(domain, memory, rights);
            begin.add(new WorkRequest.Register(i, region.key(), SendOptions.SIGNALLED));
            end.add(new WorkRequest.LocalInvalidate(i, region.key(), SendOptions.SIGNALLED));
        }
    }

    private void prepareWindows() {
        MemorySegment memory = Arena.ofAuto().allocate(REGION_BYTES, 4096);
        Region region = near.register(domain, memory, EnumSet.allOf(Right.class));
        for (int i = 0; i < REQUESTS; i++) {
            Window window = near.createWindow(domain, Window.Type.TYPE_2);
            begin.add(new WorkRequest.BindWindow(
                    i,
                    window,
                    window.key(),
                    region,
                    region.address(),
                    region.length(),
                    Set.of(Right.REMOTE_WRITE),
                    Touches.MANY,
                    SendOptions.SIGNALLED));
            end.add(new WorkRequest.LocalInvalidate(i, window.key(), SendOptions.SIGNALLED));
        }
    }

    private double ns(boolean both) {
        long bestNs = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long first = timeNs(begin);
            long second = timeNs(end);
            bestNs = Math.min(bestNs, first + (both ? second : 0));
        }
        return (double) bestNs / REQUESTS;
    }

    private long timeNs(List<WorkRequest.Sending> requests) {
        post(requests);
        clock.advance(TURN_NS);
        long startNs = System.nanoTime();
        int _ = near.work(clock.nowNs());
        long ns = System.nanoTime() - startNs;
        requireDone();
        return ns;
    }

    /** Of the last half of the rounds: the compiler has seen everything then. */
    private double bytes(boolean both) {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)) {
            throw new MeasurementException("this virtual machine does not count what a thread allocates");
        }
        long bytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long first = allocated(threads, begin);
            long second = allocated(threads, end);
            bytes += round < ROUNDS / 2 ? 0 : first + (both ? second : 0);
        }
        return (double) bytes / (ROUNDS - ROUNDS / 2) / REQUESTS;
    }

    private long allocated(ThreadMXBean threads, List<WorkRequest.Sending> requests) {
        post(requests);
        clock.advance(TURN_NS);
        long before = threads.getCurrentThreadAllocatedBytes();
        int _ = near.work(clock.nowNs());
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        requireDone();
        return bytes;
    }

    private void post(List<WorkRequest.Sending> requests) {
        for (int i = 0; i < requests.size(); i++) {
            if (!queuePair.post(requests.get(i))) {
                throw new MeasurementException("the send queue is full");
            }
        }
    }

    /** Every request was done, with success, in the turn that was measured. */
    private void requireDone() {
        int count = completionQueue.poll(completions);
        for (int i = 0; i < count; i++) {
            if (!completions.status(i).success()) {
                throw new MeasurementException("a request failed: " + completions.get(i));
            }
        }
        if (count != REQUESTS) {
            throw new MeasurementException(count + " requests of " + REQUESTS + " were done in one turn");
        }
    }
}
