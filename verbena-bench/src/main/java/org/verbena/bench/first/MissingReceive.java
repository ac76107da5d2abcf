package org.verbena.bench.first;

import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.verbena.EventKind;
import org.verbena.memory.Region;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.WorkRequest;

/**
 * A message to a peer that has posted no receive: both ends wait in {@code poll(Duration)}, one for its completion, the other for
 * a message. The sender's events are awaited meanwhile: one of them tells that the receive is missing. At the end the peer posts the
 * receive, and the message has to arrive.
 */
public final class MissingReceive {
    private static final int SIZE = 64;
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final VerbenaEnd end = new VerbenaEnd();
    private final MemorySegment memory = end.allocate(SIZE);
    private final Region region = end.register(memory);

    private MissingReceive() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        MissingReceive program = new MissingReceive();
        try (VerbenaEnd _ = program.end) {
            if (arguments.server()) {
                program.serve(Control.accept(arguments.port(), 2));
            } else {
                program.ask(arguments, out);
            }
        }
    }

    /** The first control socket asks for the usage, the second orders the receive. */
    private void serve(List<Control> client) throws IOException, InterruptedException {
        try (Control questions = client.get(0);
                Control orders = client.get(1)) {
            end.connect(questions);
            Background.start(() -> questions.answer(() -> Usage.of(end.adapter)));
            Background.start(() -> {
                orders.receive();
                VerbenaEnd.require(end.queuePair.post(new WorkRequest.Receive(1, LocalSegment.of(region))));
            });
            Completion arrived = null;
            while (arrived == null) {
                arrived = VerbenaEnd.checked(end.completions.poll(WAIT));
            }
            orders.meet();
        } catch (EOFException e) {
            // the client has gone
        }
    }

    private void ask(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        try (Control questions = Control.connect(arguments.port());
                Control orders = Control.connect(arguments.port())) {
            end.connect(questions);
            long posted = System.nanoTime();
            VerbenaEnd.require(end.queuePair.post(new WorkRequest.Send(1, LocalSegment.of(region))));
            CompletableFuture<Long> told = awaitEvent();
            awaitNothing(arguments.warmUpNs());
            Readings readings = Readings.begin();
            Usage before = usage(questions);
            long begin = System.nanoTime();
            awaitNothing(arguments.windowNs());
            long ns = System.nanoTime() - begin;
            Usage used = usage(questions).since(before);
            double eventSeconds = (told.get(VerbenaEnd.PATIENCE.toSeconds(), TimeUnit.SECONDS) - posted) / 1e9;
            orders.send(0);
            VerbenaEnd.await(end.completions);
            orders.meet();
            readings.with(Reading.CPU_PERCENT, 100.0 * used.cpuNs() / ns)
                    .with(Reading.RETRIES_PER_SECOND, used.refused() * 1e9 / ns)
                    .with(Reading.EVENT_AFTER_SECONDS, eventSeconds)
                    .print(out);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no event tells that the receive is missing", e);
        }
    }

    /** The time of the event, which another thread waits for. */
    private CompletableFuture<Long> awaitEvent() {
        CompletableFuture<Long> told = new CompletableFuture<>();
        Background.start(() -> {
            AsyncEvent event = end.adapter.events().poll(VerbenaEnd.PATIENCE);
            if (event != null && event.kind() == EventKind.RECEIVE_MISSING) {
                told.complete(System.nanoTime());
            } else {
                told.completeExceptionally(new IllegalStateException("another event, or none: " + event));
            }
        });
        return told;
    }

    private Usage usage(Control server) throws IOException {
        return Usage.of(end.adapter).plus(server.usage());
    }

    private void awaitNothing(long ns) throws InterruptedException {
        Completion completion = end.completions.poll(Duration.ofNanos(ns));
        if (completion != null) {
            throw new IllegalStateException("completed without a receive at the peer: " + completion);
        }
    }
}
