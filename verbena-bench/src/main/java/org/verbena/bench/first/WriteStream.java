package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import org.verbena.Right;
import org.verbena.memory.Region;
import org.verbena.verbs.Completions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** Writes of 64 KiB into the memory of the peer, 16 outstanding: bandwidth, and packets sent again although none is lost. */
public final class WriteStream {
    private static final int SIZE = 64 << 10;
    private static final int OUTSTANDING = 16;

    private final VerbenaEnd end = new VerbenaEnd();
    private final Region region = end.register(end.allocate(OUTSTANDING * SIZE), Right.REMOTE_WRITE);

    private WriteStream() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        WriteStream program = new WriteStream();
        try (VerbenaEnd _ = program.end) {
            if (arguments.server()) {
                program.serve(Control.accept(arguments.port(), 1).getFirst());
            } else {
                program.write(Control.connect(arguments.port()), arguments, out);
            }
        }
    }

    private void serve(Control client) throws IOException {
        try (client) {
            end.connect(client);
            client.send(RemoteMemory.of(region));
            client.answer(() -> Usage.of(end.adapter));
        }
    }

    private void write(Control server, Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        try (server) {
            end.connect(server);
            RemoteMemory target = server.receiveMemory();
            run(target, arguments.warmUpNs());
            Readings readings = Readings.begin();
            Usage before = Usage.of(end.adapter).plus(server.usage());
            long begin = System.nanoTime();
            long writes = run(target, arguments.windowNs());
            double seconds = (System.nanoTime() - begin) / 1e9;
            Usage used = Usage.of(end.adapter).plus(server.usage()).since(before);
            readings.with(Reading.MB_PER_SECOND, writes * SIZE / seconds / 1e6)
                    .with(Reading.RESENT_PERCENT, used.resentPercent())
                    .print(out);
        }
    }

    /** Writes for this time, and until all writes are done; their number. */
    private long run(RemoteMemory target, long ns) throws InterruptedException {
        Completions done = new Completions(OUTSTANDING);
        for (int slot = 0; slot < OUTSTANDING; slot++) {
            post(slot, target);
        }
        long writes = 0;
        int outstanding = OUTSTANDING;
        long begin = System.nanoTime();
        while (outstanding > 0) {
            end.await(done);
            writes += done.size();
            for (int i = 0; i < done.size(); i++) {
                if (System.nanoTime() - begin < ns) {
                    post((int) done.id(i), target);
                } else {
                    outstanding--;
                }
            }
        }
        return writes;
    }

    private void post(int slot, RemoteMemory target) {
        long offset = (long) slot * SIZE;
        VerbenaEnd.require(end.queuePair.post(
                new WorkRequest.Write(slot, LocalSegment.of(region, offset, SIZE), target.plus(offset))));
    }
}
