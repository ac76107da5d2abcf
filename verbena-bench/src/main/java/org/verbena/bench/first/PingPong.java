package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.memory.Region;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.WorkRequest;

/**
 * 64 bytes there and back by sends. The argument of its own says how both ends wait: {@code blocking} sleeps in {@code
 * poll(Duration)}, {@code spinning} calls {@code poll()} until it has a completion.
 */
public final class PingPong {
    private static final int SIZE = RoundTrips.SIZE;
    private static final int SPINS_BETWEEN_LOOKS = 1 << 20;

    private final VerbenaEnd end = new VerbenaEnd();
    private final MemorySegment memory = end.allocate(2 * SIZE);
    private final Region region = end.register(memory);
    private final WorkRequest.Send send = new WorkRequest.Send(1, LocalSegment.of(region, 0, SIZE));
    private final WorkRequest.Receive receive = new WorkRequest.Receive(2, LocalSegment.of(region, SIZE, SIZE));
    private final boolean spinning;
    /** Completions of sends that have not come. */
    private int sending;

    private PingPong(boolean spinning) {
        this.spinning = spinning;
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        PingPong program = new PingPong(isSpinning(arguments.more()));
        try (VerbenaEnd _ = program.end) {
            if (arguments.server()) {
                program.serve(Control.accept(arguments.port(), 1).getFirst());
            } else {
                program.ask(Control.connect(arguments.port()), arguments, out);
            }
        }
    }

    private static boolean isSpinning(String how) {
        return switch (how) {
            case "spinning" -> true;
            case "blocking" -> false;
            default -> throw new IllegalArgumentException("blocking or spinning expected; found " + how);
        };
    }

    private void serve(Control client) throws IOException {
        try (client) {
            end.connect(client);
            VerbenaEnd.require(end.queuePair.post(receive));
            client.meet();
            Background.start(this::echo);
            client.answer(() -> Usage.of(end.adapter));
        }
    }

    /** Sends every message back, until the adapter is closed. */
    private void echo() throws InterruptedException {
        while (awaitMessage()) {
            MemorySegment.copy(memory, SIZE, memory, 0, SIZE);
            VerbenaEnd.require(end.queuePair.post(receive));
            send();
        }
    }

    private void ask(Control server, Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        try (server) {
            end.connect(server);
            server.meet();
            RoundTrips.measure(this::roundTrip, arguments, server, () -> Usage.of(end.adapter), out);
        }
    }

    private void roundTrip() throws InterruptedException {
        long mark = System.nanoTime();
        memory.set(ValueLayout.JAVA_LONG, 0, mark);
        VerbenaEnd.require(end.queuePair.post(receive));
        send();
        if (!awaitMessage() || memory.get(ValueLayout.JAVA_LONG, SIZE) != mark) {
            throw new IllegalStateException("the message that was sent did not come back");
        }
    }

    private void send() {
        VerbenaEnd.require(end.queuePair.post(send));
        sending++;
    }

    /** Waits until a message has come and the memory of the last send is free again; false if the adapter is closed. */
    private boolean awaitMessage() throws InterruptedException {
        boolean arrived = false;
        while (!arrived || sending > 0) {
            Completion completion = spinning ? spin(end.completions) : VerbenaEnd.next(end.completions);
            if (completion == null) {
                return false;
            } else if (completion.operation() == Operation.RECEIVE) {
                arrived = true;
            } else {
                sending--;
            }
        }
        return true;
    }

    private static @Nullable Completion spin(CompletionQueue completions) {
        long begin = System.nanoTime();
        for (int spins = 1; ; spins++) {
            Completion completion = VerbenaEnd.checked(completions.poll());
            if (completion != null) {
                return completion;
            }
            Thread.onSpinWait();
            if (spins % SPINS_BETWEEN_LOOKS == 0 && System.nanoTime() - begin > VerbenaEnd.PATIENCE.toNanos()) {
                return null;
            }
        }
    }
}
