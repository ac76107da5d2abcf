package org.verbena.verbs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.verbena.RegisterFailure;
import org.verbena.adapter.QueuePairNumbers;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.Queues;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.adapter.pair.RegisterWork;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.time.Seed;
import org.verbena.wire.ib.Psn;

/**
 * Makes the queue pairs of an adapter and keeps the list of those that are open: their numbers, and the parts they hold.
 * Any thread.
 */
final class QueuePairs {
    private final Adapter adapter;
    private final LocalAdapter local;
    private final ProtectionTable memory;
    private final Seed seed;
    private final AdapterMetrics metrics;
    private final AdapterRegistrations registrations;
    private final QueuePairNumbers numbers = new QueuePairNumbers();
    private final Map<LocalQueuePair, QueuePair> open = new LinkedHashMap<>();
    private final MemoryOwners owners = new MemoryOwners(this);
    private volatile boolean closed;

    QueuePairs(
            Adapter adapter,
            LocalAdapter local,
            ProtectionTable memory,
            Seed seed,
            AdapterMetrics metrics,
            AdapterRegistrations registrations) {
        this.adapter = adapter;
        this.local = local;
        this.memory = memory;
        this.seed = seed;
        this.metrics = metrics;
        this.registrations = registrations;
    }

    QueuePair create(QueuePairOptions options) {
        return add(make(options));
    }

    QueuePair create(QueuePairOptions options, int number, int firstPsn) {
        return add(make(options, number, firstPsn));
    }

    private synchronized LocalQueuePair make(QueuePairOptions options) {
        requireOpen();
        requireOwn(options);
        requireCarried(options.service());
        hold(options);
        int firstPsn = (int) seed.nextLong() & Psn.MASK;
        return makeHeld(options, takeNumber(options), firstPsn);
    }

    private synchronized LocalQueuePair make(QueuePairOptions options, int number, int firstPsn) {
        requireOpen();
        requireOwn(options);
        requireCarried(options.service());
        hold(options);
        return makeHeld(options, number, firstPsn);
    }

    /** Makes a queue pair whose parts are held and whose number is taken. If that fails, both are given back. */
    private LocalQueuePair makeHeld(QueuePairOptions options, int number, int firstPsn) {
        try {
            return make(options, number, firstPsn, local.events());
        } catch (RuntimeException | Error e) { // memory for the rings may be short
            numbers.giveBack(number);
            release(options);
            throw e;
        }
    }

    /** Without the lock: the engine's thread may need it at this moment, to make a queue pair for a connection. */
    private QueuePair add(LocalQueuePair control) {
        try {
            control.open();
        } catch (RuntimeException | Error e) {
            release(control);
            throw e;
        }
        return find(control);
    }

    private synchronized QueuePair find(LocalQueuePair control) {
        QueuePair queuePair = open.get(control);
        if (queuePair == null) {
            throw new IllegalStateException("adapter " + adapter.name() + " is closed");
        }
        return queuePair;
    }

    private LocalQueuePair make(QueuePairOptions options, int number, int firstPsn, AsyncEvents events) {
        OperationCount operations = new OperationCount(memory, options.domain());
        PostMemory.Supply supply = registrations.supply(options);
        SharedReceiveQueue shared = options.sharedReceives();
        Ring sends = local.rings().sends(options);
        ReceiveSource receives = shared != null
                ? local.source(shared)
                : new ReceiveSource(
                        local.rings().receives(options.receiveCapacity(), options.segmentsMax()),
                        false,
                        events.sink(),
                        operations);
        Queues queues = new Queues(
                sends,
                receives,
                options.sendCompletions().ring(),
                options.receiveCompletions().ring());
        RegisterFailure failure = options.registerFailure();
        RegisterWork registers = failure == null ? null : new RegisterWork(failure, sends.capacity());
        LocalQueuePair control = new LocalQueuePair(local, this, options, number, firstPsn, queues, registers);
        WorkPoster poster = new WorkPoster(
                number,
                sends,
                receives.ring(),
                local.engine().doorbell(),
                PostRules.of(options),
                PostMemory.of(operations, supply, options::domain, registers),
                PostMemory.of(operations, supply, options::domain));
        QueuePair queuePair = new QueuePair(adapter, options, number, firstPsn, poster, control);
        metrics.register(control, queues);
        events.know(control.pair(), queuePair);
        open.put(control, queuePair);
        return control;
    }

    private void requireCarried(Service service) {
        if (service != Service.RC && local.streams() != null) {
            throw new IllegalArgumentException(
                    "service " + service + " found, RC expected: iWARP has reliable connections only");
        }
    }

    /** Parts of another adapter would be accepted by the compiler and refused, much later, by every access. */
    private void requireOwn(QueuePairOptions parts) {
        SharedReceiveQueue shared = parts.sharedReceives();
        if (!memory.owns(parts.domain())) {
            throw new IllegalArgumentException(parts.domain() + " belongs to another adapter than " + adapter.name());
        }
        if (parts.sendCompletions().adapter() != adapter
                || parts.receiveCompletions().adapter() != adapter) {
            throw new IllegalArgumentException("a completion queue belongs to another adapter than " + adapter.name());
        }
        if (shared != null && shared.adapter() != adapter) {
            throw new IllegalArgumentException(
                    "the shared receive queue belongs to another adapter than " + adapter.name());
        }
    }

    private int takeNumber(QueuePairOptions held) {
        try {
            return numbers.take();
        } catch (IllegalStateException e) {
            release(held);
            throw e;
        }
    }

    /** Holds all parts of a queue pair, or, if one of them is closed, none. */
    private void hold(QueuePairOptions parts) {
        SharedReceiveQueue shared = parts.sharedReceives();
        List<Runnable> held = new ArrayList<>();
        try {
            memory.hold(parts.domain());
            held.add(() -> memory.release(parts.domain()));
            parts.sendCompletions().hold();
            held.add(parts.sendCompletions()::release);
            parts.receiveCompletions().hold();
            held.add(parts.receiveCompletions()::release);
            if (shared != null) {
                shared.hold();
            }
        } catch (IllegalStateException closedPart) {
            held.forEach(Runnable::run);
            throw closedPart;
        }
    }

    private void release(QueuePairOptions held) {
        memory.release(held.domain());
        held.sendCompletions().release();
        held.receiveCompletions().release();
        SharedReceiveQueue shared = held.sharedReceives();
        if (shared != null) {
            shared.release();
        }
    }

    /** Forgets a queue pair that is closed: its number and its parts are free again. */
    synchronized void release(LocalQueuePair control) {
        if (open.remove(control) != null) {
            local.events().forget(control.pair());
            metrics.forget(control);
            numbers.giveBack(control.number());
            release(control.options());
        }
    }

    /** The owners of memory that protection domains are bound to. */
    MemoryOwners owners() {
        return owners;
    }

    synchronized int count() {
        return open.size();
    }

    boolean isOpen() {
        return !closed;
    }

    /** @throws IllegalStateException if the adapter is closed */
    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("adapter " + adapter.name() + " is closed");
        }
    }

    /**
     * Refuses further queue pairs, from now on.
     *
     * @return whether this was the first call
     */
    synchronized boolean shut() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** The queue pairs that are open now. */
    synchronized List<QueuePair> all() {
        return List.copyOf(open.values());
    }
}
