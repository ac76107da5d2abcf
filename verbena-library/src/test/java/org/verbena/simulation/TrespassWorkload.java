package org.verbena.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.memory.MemoryKey;
import org.verbena.time.Seed;
import org.verbena.verbs.Completion;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * The end of a run: every connection gets requests for memory that is not granted, and then for memory that is. The first
 * must fail, the others come back flushed, and no byte changes anywhere: the memory checker has not been told of any.
 */
final class TrespassWorkload implements Workload {
    private static final int FOLLOWERS = 3;
    private static final List<Operation> OPERATIONS = List.of(Operation.WRITE, Operation.READ, Operation.FETCH_ADD);

    /** What is wrong with the request. */
    private enum Fault {
        WRONG_KEY,
        WRONG_INSTANCE,
        BEYOND_THE_END,
        BEFORE_THE_START,
        NO_RIGHT,
        SHUT_WINDOW
    }

    private final World world;
    private final Trace trace;
    private final Map<Long, List<Completion>> completed = new HashMap<>();
    private final Map<Zone, Integer> reads = new LinkedHashMap<>();

    TrespassWorkload(World world, List<Lane> all, Seed seed) {
        this.world = world;
        this.trace = world.trace();
        for (int i = 0; i < all.size(); i += 2) {
            Lane lane = all.get(i + seed.nextInt(2));
            if (lane.failed) {
                continue;
            }
            completed.put(place(lane.requester(), lane.queuePair().number()), new ArrayList<>());
            trespass(lane, seed);
        }
    }

    /** All is over: the landing of a read that was refused is undefined as far as it would have been overwritten. */
    void forgive() {
        reads.forEach((zone, length) -> zone.forgive(0, length));
    }

    private static Long place(Node node, int queuePair) {
        return (long) node.index() << 32 | queuePair;
    }

    private void trespass(Lane lane, Seed seed) {
        Fault fault = Fault.values()[seed.nextInt(Fault.values().length)];
        int length = 8 * (1 + seed.nextInt((int) Math.min(1024, lane.target().length() / 16)));
        Operation operation = OPERATIONS.get(seed.nextInt(OPERATIONS.size()));
        if (operation == Operation.READ) {
            reads.put(lane.landing(), length);
        }
        RemoteMemory forbidden = forbidden(lane, fault, length, operation == Operation.FETCH_ADD, seed);
        lane.queuePair()
                .post(
                        switch (operation) {
                            case WRITE -> new WorkRequest.Write(0, lane.source().local(0, length), forbidden);
                            case READ -> new WorkRequest.Read(0, lane.landing().local(0, length), forbidden);
                            default ->
                                new WorkRequest.FetchAdd(
                                        0,
                                        lane.landing().local(0, 8),
                                        new RemoteMemory(forbidden.address() & ~7L, forbidden.key()),
                                        1,
                                        SendOptions.SIGNALLED);
                        });
        for (int i = 1; i <= FOLLOWERS; i++) {
            lane.queuePair()
                    .post(new WorkRequest.Write(
                            i, lane.source().local(0, length), lane.target().remote(0)));
        }
    }

    /** Memory that a request of this length may not touch, not all of it at least. */
    private static RemoteMemory forbidden(Lane lane, Fault fault, int length, boolean atomic, Seed seed) {
        Zone target = lane.target();
        RemoteMemory start = target.remote(0);
        return switch (fault) {
            case WRONG_KEY ->
                new RemoteMemory(start.address(), MemoryKey.of(seed.nextInt(MemoryKey.INDEX_LIMIT), seed.nextInt()));
            case WRONG_INSTANCE ->
                new RemoteMemory(
                        start.address(),
                        MemoryKey.of(MemoryKey.index(start.key()), start.key() + 1 + seed.nextInt(255)));
            case BEYOND_THE_END -> start.plus(target.length() - (length > 8 && !atomic ? 8 : 0));
            case BEFORE_THE_START -> start.plus(-8);
            case NO_RIGHT -> lane.forbidden().remote(0);
            case SHUT_WINDOW ->
                new RemoteMemory(start.address(), lane.window().window().key() ^ 1);
        };
    }

    @Override
    public void work(long nowNs) {
        for (Node node : world.nodes()) {
            for (Completion c = node.completions().poll();
                    c != null;
                    c = node.completions().poll()) {
                take(node, c);
            }
        }
    }

    private void take(Node node, Completion completion) {
        trace.add(completion.id());
        trace.add(completion.status().ordinal());
        List<Completion> all = completed.get(place(node, completion.queuePair()));
        if (completion.operation().isReceive() || all == null) {
            if (completion.status() != Status.FLUSHED) {
                throw new AssertionError("nobody asked for it: " + completion);
            }
            return;
        }
        if (completion.id() != all.size() || !isExpected(completion)) {
            throw new AssertionError("after a trespass, number " + all.size() + ": " + completion);
        }
        all.add(completion);
    }

    /** A refusal that is lost cannot be asked for again: the peer is in error by then, and silent. */
    private static boolean isExpected(Completion completion) {
        if (completion.id() > 0) {
            return completion.status() == Status.FLUSHED && completion.operation() == Operation.WRITE;
        }
        return completion.status() == Status.REMOTE_ACCESS_ERROR || completion.status() == Status.RETRY_EXCEEDED;
    }

    @Override
    public boolean isDone() {
        return completed.values().stream().allMatch(all -> all.size() == 1 + FOLLOWERS);
    }

    @Override
    public long nextActionNs() {
        return Long.MAX_VALUE;
    }
}
