package org.verbena.fabric;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.fabric.flow.Flow;
import org.verbena.time.NanoClock;

/** The thread that drives a fabric in real time. */
final class FabricThread implements Runnable {
    /** Turns without work before the thread sleeps. */
    private static final int IDLE_TURNS = 2000;
    /** The same with services: their turns make calls of the system, and their tools need the processor. */
    private static final int IDLE_TURNS_SERVING = 5;
    /** Longest sleep. */
    private static final long SLEEP_MAX_NS = 10_000_000;
    /** An event so near is waited for without a sleep; with services it happens at once, and the fabric is this much ahead of the clock. */
    private static final long NEAR_NS = 50_000;

    /** Times at which events happen ahead of the clock, before the services have their turn again. */
    private static final int AHEAD_MAX = 256;

    /** Between two looks at a condition. */
    private static final long LOOK_NS = 1_000_000;

    private final Flow flow;
    private final List<FabricService> services;
    private final NanoClock clock;
    private final long startNs;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean asleep;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    FabricThread(Flow flow, List<FabricService> services, NanoClock clock) {
        this.flow = flow;
        this.services = List.copyOf(services);
        this.clock = clock;
        this.startNs = clock.nowNs() - flow.nowNs();
        this.thread = Thread.ofPlatform().daemon().name("verbena-fabric").unstarted(this);
        flow.onWork(this::wake);
    }

    void start() {
        thread.start();
    }

    /** Runs a command and returns when it is done. */
    void call(Runnable command) {
        if (Thread.currentThread().equals(thread)) {
            command.run();
            return;
        }
        requireAlive();
        CompletableFuture<Void> done = new CompletableFuture<>();
        commands.add(() -> {
            try {
                command.run();
                done.complete(null);
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        wake();
        if (ended) {
            runCommands();
        }
        done.join();
    }

    /**
     * Waits until a condition holds, which the fabric's thread looks at.
     *
     * @return false if it did not hold in time
     */
    boolean await(BooleanSupplier condition, long timeoutNs) throws InterruptedException {
        long endNs = clock.nowNs() + timeoutNs;
        boolean[] holds = new boolean[1];
        while (true) {
            call(() -> holds[0] = condition.getAsBoolean());
            if (holds[0] || clock.nowNs() - endNs >= 0) {
                return holds[0];
            }
            LockSupport.parkNanos(LOOK_NS);
            if (Thread.interrupted()) {
                throw new InterruptedException("waited for a port of a fabric");
            }
        }
    }

    /** Throws if the thread has ended by a bug: the fabric stands still. */
    private void requireAlive() {
        Throwable bug = failure;
        if (bug != null) {
            throw new IllegalStateException("the fabric's thread has failed: " + bug, bug);
        }
    }

    /** Ends the thread's sleep. Any thread. */
    void wake() {
        if (asleep) {
            if (services.isEmpty()) {
                LockSupport.unpark(thread);
            } else {
                services.getFirst().wake();
            }
        }
    }

    @Override
    public void run() {
        try {
            drive();
        } catch (RuntimeException | Error bug) {
            failure = bug;
            throw bug;
        } finally {
            ended = true;
            runCommands();
        }
    }

    private void drive() {
        int idleMax = services.isEmpty() ? IDLE_TURNS : IDLE_TURNS_SERVING;
        int idle = 0;
        while (!ended) {
            idle = turn() > 0 ? 0 : idle + 1;
            if (idle > idleMax) {
                sleep();
                idle = idleMax;
            } else if (idle > 0) {
                Thread.onSpinWait();
            }
        }
    }

    private int turn() {
        int done = runCommands();
        long nowNs = clock.nowNs() - startNs;
        for (FabricService service : services) {
            done += service.poll(nowNs);
        }
        done += flow.hasWork() || flow.nextEventNs() <= nowNs ? 1 : 0;
        flow.advanceTo(nowNs);
        flow.run(nowNs, false);
        return services.isEmpty() ? done : done + runAhead(nowNs + NEAR_NS);
    }

    /** Runs what is so near that tools could not tell: a look at the sockets between two hops of a datagram takes longer than the hop. */
    private int runAhead(long untilNs) {
        int done = 0;
        for (long nextNs = flow.nextEventNs(); nextNs <= untilNs && done < AHEAD_MAX; nextNs = flow.nextEventNs()) {
            flow.run(nextNs, false);
            done++;
        }
        return done;
    }

    private int runCommands() {
        int done = 0;
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
            done++;
        }
        return done;
    }

    private void sleep() {
        asleep = true;
        long waitNs = Math.min(flow.nextEventNs() - (clock.nowNs() - startNs), SLEEP_MAX_NS);
        if (waitNs > NEAR_NS && commands.isEmpty() && !flow.hasWork() && !ended) {
            if (services.isEmpty()) {
                LockSupport.parkNanos(waitNs);
            } else {
                services.getFirst().sleep(waitNs);
            }
        }
        asleep = false;
    }

    void close() {
        ended = true;
        asleep = true;
        wake();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        runCommands();
    }
}
