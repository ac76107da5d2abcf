package org.verbena.connect;

import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.verbs.Adapter;

/** State of an adapter's communication manager that is not exported. */
public final class Remembered {
    private Remembered() {}

    /** Everything, of any kind: zero when nothing is going on. */
    public static int by(Adapter adapter) {
        Agent agent = Agent.of(adapter);
        var count = new AtomicInteger();
        agent.port().call(() -> count.set(agent.conversations().remembered()));
        return count.get();
    }
}
