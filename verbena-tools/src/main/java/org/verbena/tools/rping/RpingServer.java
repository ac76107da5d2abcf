package org.verbena.tools.rping;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.ConnectFailedException;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.Adapter;

/** The end that does the work: reads the client's data, says so, writes it back, says so. */
final class RpingServer {
    private static final Duration SLICE = Duration.ofMillis(200);
    private static final Duration ESTABLISHED_LIMIT = Duration.ofSeconds(20);

    private final Adapter adapter;
    private final RpingPlan plan;
    private final StopSign stop;
    private final Consumer<String> says;
    private final Consumer<String> complains;

    RpingServer(Adapter adapter, RpingPlan plan, StopSign stop, Consumer<String> says, Consumer<String> complains) {
        this.adapter = adapter;
        this.plan = plan;
        this.stop = stop;
        this.says = says;
        this.complains = complains;
    }

    /** Serves one client on the calling thread; with {@code forEver} each on a thread of its own until the stop sign goes up. */
    void run(InetSocketAddress at, boolean forEver) throws InterruptedException {
        try (Listener listener = Listener.open(adapter, at, ListenerOptions.DEFAULT)) {
            complains.accept("serving rping on port " + listener.address().getPort());
            List<Thread> threads = new ArrayList<>();
            while (!stop.isRaised()) {
                ConnectionRequest request = listener.accept(SLICE);
                threads.removeIf(thread -> !thread.isAlive());
                if (request == null) {
                    continue;
                }
                if (!forEver) {
                    serve(request);
                    return;
                }
                threads.add(Thread.ofPlatform().name("rping " + request.peer()).start(() -> serveOrComplain(request)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void serveOrComplain(ConnectionRequest request) {
        try {
            serve(request);
        } catch (ToolException | ConnectFailedException e) {
            complains.accept(request.peer() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(ConnectionRequest request) throws InterruptedException {
        try (RpingSession session = new RpingSession(adapter, plan.size(), stop);
                Connection connection = request.accept(
                        session.queuePair(), AcceptOptions.DEFAULT.withConnection(RpingSession.terms()))) {
            connection.awaitEstablished(ESTABLISHED_LIMIT);
            while (serveOne(session)) {
                // The client says when it has enough.
            }
            complains.accept("server DISCONNECT EVENT...");
            RpingSession.disconnect(connection);
        }
    }

    /** False when the client is off. */
    private boolean serveOne(RpingSession session) {
        Advertisement source = session.hear();
        if (source == null) {
            return false;
        }
        if (!session.read(source, requireFit(source))) {
            return false;
        }
        if (plan.shows()) {
            says.accept("server ping data: " + RpingClient.text(session.landing()));
        }
        @Nullable Advertisement target = session.say() ? session.hear() : null;
        if (target == null) {
            return false;
        }
        int length = Math.min(RpingClient.length(session.landing()) + 1, requireFit(target));
        return session.write(target, length) && session.say();
    }

    private int requireFit(Advertisement memory) {
        if (memory.size() < 1 || memory.size() > plan.size()) {
            throw new ToolException("the client has " + memory.size() + " bytes of data, this end room for "
                    + plan.size() + ": give both the same -S");
        }
        return memory.size();
    }
}
