package org.verbena.adapter;

import java.util.List;
import org.verbena.queue.Doorbell;
import org.verbena.queue.RingMemory;
import org.verbena.time.TimerWheel;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;

/**
 * Moves all work of one adapter that can move, a turn at a time. It opens nothing, never sleeps and reads no clock; its {@link
 * Runner} gives it the time.
 */
public final class Engine {
    /** Bits of a queue pair number that its doorbell has. */
    public static final int DOORBELL_MASK = (1 << Limits.QUEUE_PAIR_INDEX_BITS) - 1;

    private final Carrier[] carriers;
    private final TurnTime time;
    private final Commands commands;
    private final Scheduler scheduler;
    private final Effort effort;
    private final TimerWheel wheel;
    private final QueuePairTable queuePairs;
    private final CompletionSink completions;
    private final Counters counters;
    private final Events events;
    private final Doorbell doorbell;
    // Made once: a method reference at the call would be an object a turn.
    private final Doorbell.Listener onRing = this::onRing;
    private final TurnStep[] steps = {this::takeOrders, this::transmit, this::flush, this::receive, this::settle};

    /**
     * An engine of these parts.
     *
     * @param carriers by which its queue pairs reach their peers
     * @param rings memory for its doorbell
     */
    public Engine(EngineParts parts, List<? extends Carrier> carriers, RingMemory rings) {
        this.carriers = carriers.toArray(Carrier[]::new);
        this.time = parts.time();
        this.commands = parts.commands();
        this.scheduler = parts.scheduler();
        this.effort = parts.effort();
        this.wheel = parts.wheel();
        this.queuePairs = parts.queuePairs();
        this.completions = parts.completions();
        this.counters = parts.counters();
        this.events = parts.events();
        this.doorbell = Doorbell.create(Limits.QUEUE_PAIRS_MAX, rings, commands::wake);
    }

    // --- driving

    /**
     * One turn: sends posted work, takes input that has arrived, then looks at the timers. Output that the input causes, such as an
     * acknowledgement, leaves with the next turn, together with work that the consumer posts in answer. Timers come last so that an
     * answer that has arrived is never taken for missing, however late the turn.
     *
     * @return how much was done; 0 means that nothing will happen before work is posted, input arrives, or a timer is due
     */
    public int work(long timeNs) {
        try {
            return turn(timeNs);
        } catch (InternalError e) {
            // The JVM throws it when a mapped file is cut while it is read: the consumer's memory is gone, not ours.
            counters.add(Counter.MEMORY_FAULTS);
            recover();
            return 1;
        }
    }

    private void recover() {
        Scheduled cut = scheduler.takeRunning();
        for (Carrier carrier : carriers) {
            carrier.recover();
        }
        if (cut != null) {
            cut.onMemoryFault();
        }
    }

    private int turn(long timeNs) {
        time.set(timeNs);
        int done = 0;
        for (TurnStep step : steps) {
            done += step.take(timeNs);
        }
        return done;
    }

    private int takeOrders(long timeNs) {
        return commands.run() + doorbell.drain(onRing);
    }

    private int transmit(long timeNs) {
        long spent = effort.spent();
        scheduler.run(timeNs);
        return (int) (effort.spent() - spent) + (scheduler.hasResumed() ? 1 : 0);
    }

    private int flush(long timeNs) {
        for (Carrier carrier : carriers) {
            carrier.flush();
        }
        return 0;
    }

    private int receive(long timeNs) {
        int taken = 0;
        for (Carrier carrier : carriers) {
            taken += carrier.receive(timeNs, Limits.RECEIVE_PER_TURN);
        }
        return taken;
    }

    private int settle(long timeNs) {
        int expired = wheel.expire(timeNs);
        completions.notifyConsumers();
        return expired;
    }

    /** When {@link #work} should be called next though nothing arrives: at once (the past), later, or never. */
    public long nextDeadlineNs() {
        return hasWork() ? Long.MIN_VALUE : wheel.nextDeadlineNs();
    }

    /** Whether a turn would do something at once. Part of going to sleep: ask after {@link Doorbell#sleeping}. */
    public boolean hasWork() {
        return !scheduler.isEmpty() || doorbell.pending() || !commands.isEmpty();
    }

    /** Has the command run in the next turn. Any thread. */
    public void submit(Runnable command) {
        commands.submit(command);
    }

    private void onRing(int index) {
        Scheduled entry = queuePairs.at(index);
        if (entry != null) {
            scheduler.add(entry);
        }
    }

    // --- queue pairs

    /** Adds a queue pair; its doorbell is heard from now on. */
    public void add(Scheduled queuePair) {
        queuePairs.put(queuePair);
        doorbell.cover(QueuePairTable.index(queuePair.number()));
    }

    /** Removes a queue pair. */
    public void remove(Scheduled queuePair) {
        queuePairs.remove(queuePair);
        for (Carrier carrier : carriers) {
            carrier.onRemoved(queuePair.number());
        }
    }

    /** Number of queue pairs. */
    public int queuePairs() {
        return queuePairs.count();
    }

    // --- what a runner uses

    Events events() {
        return events;
    }

    /** Any thread may ring. */
    public Doorbell doorbell() {
        return doorbell;
    }
}
