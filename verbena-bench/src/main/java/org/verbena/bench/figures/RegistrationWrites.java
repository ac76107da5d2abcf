package org.verbena.bench.figures;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Locale;
import org.verbena.Right;
import org.verbena.link.Endpoint;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.RegistrationOptions;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/**
 * Writes over UDP loopback from recurring buffers: a program that prints megabytes a second.
 *
 * <p>Arguments: {@code BYTES SOURCE SECONDS}. The source is {@code table}: 1,000 buffers that the registration table registers; {@code regions}: 1,000 buffers,
 * each a region; or {@code region}: one region, which is the source of all writes.
 */
final class RegistrationWrites {
    private static final int BUFFERS = 1000;
    private static final int DEPTH = 32;
    private static final long PAGE = 4096;
    private static final long WARM_UP_SECONDS = 2;

    private final int bytes;
    private final String source;

    private RegistrationWrites(int bytes, String source) {
        this.bytes = bytes;
        this.source = source;
    }

    /** Prints one number. */
    public static void main(String... arguments) throws InterruptedException {
        RegistrationWrites writes = new RegistrationWrites(Integer.parseInt(arguments[0]), arguments[1]);
        System.out.printf(Locale.ROOT, "%.3f%n", writes.measure(Long.parseLong(arguments[2])));
    }

    private double measure(long seconds) throws InterruptedException {
        try (Adapter here = open();
                Adapter there = open();
                Arena arena = Arena.ofShared()) {
            CompletionQueue completions = here.createCompletionQueue(2 * DEPTH);
            QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
            QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
            queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
            other.connect(queuePair.address(), ConnectionOptions.DEFAULT);
            MemorySegment target = arena.allocate(bytes, PAGE);
            RemoteMemory remote = RemoteMemory.of(there.register(target, Right.LOCAL_WRITE, Right.REMOTE_WRITE));
            WorkRequest.Write[] requests = requests(here, arena, remote);
            double _ = rate(queuePair, completions, requests, WARM_UP_SECONDS);
            return rate(queuePair, completions, requests, seconds);
        }
    }

    private static Adapter open() {
        return Adapter.open(
                UdpNetwork.open(Endpoint.of("127.0.0.1", 0)),
                AdapterOptions.DEFAULT.withRegistrations(RegistrationOptions.DEFAULT.withBudget(1 << 16, 1L << 40)));
    }

    private WorkRequest.Write[] requests(Adapter adapter, Arena arena, RemoteMemory target) {
        WorkRequest.Write[] requests = new WorkRequest.Write[BUFFERS];
        boolean one = source.equals("region");
        long stride = (bytes + 2 * PAGE) & -PAGE; // a page between two buffers, so that they are entries of their own
        MemorySegment memory = arena.allocate(one ? bytes : stride * BUFFERS, PAGE);
        LocalSegment first =
                one ? LocalSegment.of(adapter.register(memory)) : LocalSegment.of(memory.asSlice(0, bytes));
        for (int i = 0; i < BUFFERS; i++) {
            LocalSegment data = switch (source) {
                case "region" -> first;
                case "regions" -> LocalSegment.of(adapter.register(memory.asSlice(stride * i, bytes)));
                case "table" -> LocalSegment.of(memory.asSlice(stride * i, bytes));
                default -> throw new IllegalArgumentException("table, regions or region expected; found " + source);
            };
            requests[i] = new WorkRequest.Write(i, data, target);
        }
        return requests;
    }

    private double rate(QueuePair queuePair, CompletionQueue completions, WorkRequest.Write[] requests, long seconds)
            throws InterruptedException {
        Completions batch = new Completions(DEPTH);
        long startNs = System.nanoTime();
        long posted = 0;
        long done = 0;
        while (System.nanoTime() - startNs < seconds * 1_000_000_000L) {
            while (posted - done < DEPTH && queuePair.post(requests[(int) (posted % BUFFERS)])) {
                posted++;
            }
            done += completions.poll(batch);
        }
        double megabytes = done * (double) bytes / 1e6 / ((System.nanoTime() - startNs) / 1e9);
        while (done < posted) {
            Completion completion = completions.poll(Duration.ofSeconds(10));
            if (completion == null || !completion.status().success()) {
                throw new IllegalStateException("a write has failed: " + completion);
            }
            done++;
        }
        return megabytes;
    }
}
