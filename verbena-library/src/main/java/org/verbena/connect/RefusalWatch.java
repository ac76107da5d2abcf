package org.verbena.connect;

import java.util.function.Consumer;
import org.verbena.link.Endpoint;
import org.verbena.time.WheelTimer;

/**
 * Has the link asked whether the network refuses a request, while its answer is awaited: soon after it was sent, and then ever less
 * often. The link does not tell by itself, as that would cost each sleep of the engine. The engine's thread calls everything.
 */
final class RefusalWatch {
    private static final long FIRST_NS = 500_000;
    private static final long LONGEST_NS = 1_000_000_000;

    private final Agent agent;
    private final Endpoint remote;
    private final Runnable onRefused;
    private final Consumer<Endpoint> attempt = this::onRefusal;
    private final WheelTimer timer = new WheelTimer(this::onTimer);
    private long waitNs = FIRST_NS;

    /** @param onRefused called once, when the network tells that no socket is at the remote port */
    RefusalWatch(Agent agent, Endpoint remote, Runnable onRefused) {
        this.agent = agent;
        this.remote = remote;
        this.onRefused = onRefused;
    }

    /** Begins, in the command that queues the request: the request leaves in a later turn. */
    void begin() {
        agent.beginAttempt(attempt);
        agent.schedule(timer, agent.nowNs() + waitNs);
    }

    /** Ends; does nothing if it has ended or not begun. */
    void end() {
        agent.endAttempt(attempt);
        agent.cancel(timer);
    }

    private void onTimer(long nowNs) {
        waitNs = Math.min(LONGEST_NS, 4 * waitNs);
        agent.schedule(timer, nowNs + waitNs);
        agent.checkRefusals();
    }

    private void onRefusal(Endpoint refused) {
        if (refused.equals(remote)) {
            end();
            onRefused.run();
        }
    }
}
