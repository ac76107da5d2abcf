package org.verbena.simulation;

import java.util.EnumSet;
import org.verbena.Right;
import org.verbena.verbs.Completions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.WorkRequest;

/** One operation over and over from one node to another, as many at once as its depth: for measuring. */
final class StreamWorkload implements Workload {
    /** What is streamed. */
    enum Kind {
        WRITE,
        READ,
        SEND
    }

    private final World world;
    private final Node client;
    private final Node server;
    private final QueuePair clientPair;
    private final QueuePair serverPair;
    private final WorkRequest.Sending request;
    private final WorkRequest.Receive receive;
    private final int depth;
    private final long messages;
    private final Completions batch = new Completions(64);
    private long posted;
    private long done;
    private long endNs;

    StreamWorkload(World world, Kind kind, long size, int depth, long messages) {
        this.world = world;
        this.depth = depth;
        this.messages = messages;
        client = world.nodes().get(0);
        server = world.nodes().get(1);
        clientPair = queuePair(client, depth);
        serverPair = queuePair(server, depth * 2);
        Zone here = client.zone("buffer", size, EnumSet.allOf(Right.class));
        Zone there = server.zone("buffer", size, EnumSet.allOf(Right.class));
        request = switch (kind) {
            case WRITE -> new WorkRequest.Write(1, here.local(0, size), there.remote(0));
            case READ -> new WorkRequest.Read(1, here.local(0, size), there.remote(0));
            case SEND -> new WorkRequest.Send(1, here.local(0, size));
        };
        receive = new WorkRequest.Receive(1, there.local(0, size));
        clientPair.connect(serverPair.address(), ConnectionOptions.DEFAULT);
        serverPair.connect(clientPair.address(), ConnectionOptions.DEFAULT);
        for (int i = 0; i < depth * 2; i++) {
            serverPair.post(receive);
        }
    }

    private static QueuePair queuePair(Node node, int capacity) {
        return node.adapter()
                .createQueuePair(
                        QueuePairOptions.of(node.domain(), node.completions()).withCapacity(capacity, capacity));
    }

    @Override
    public void work(long nowNs) {
        done += poll(client);
        for (long taken = poll(server); taken > 0; taken--) {
            serverPair.post(receive);
        }
        while (posted < messages && posted - done < depth) {
            clientPair.post(request);
            posted++;
        }
        endNs = nowNs;
    }

    private long poll(Node node) {
        long count = 0;
        while (node.completions().poll(batch) > 0) {
            for (int i = 0; i < batch.size(); i++) {
                if (!batch.status(i).success()) {
                    throw new AssertionError("at " + world.nowNs() + " ns: " + batch.get(i));
                }
            }
            count += batch.size();
        }
        return count;
    }

    @Override
    public boolean isDone() {
        return done == messages;
    }

    @Override
    public long nextActionNs() {
        return Long.MAX_VALUE;
    }

    /** When the last message was done. */
    long endNs() {
        return endNs;
    }
}
