package org.verbena.adapter.pair;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Events;
import org.verbena.adapter.ScheduleMark;
import org.verbena.adapter.Scheduled;
import org.verbena.adapter.Scheduler;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;

/**
 * The engine's side of a queue pair, whatever its transport: state, queues, rights and completions. It gets its {@link Transport}
 * when the peer is known, and loses it when it is reset. Flushing and failing need no transport. The engine's thread calls
 * everything but {@link #state}.
 */
public final class Pair implements Scheduled {
    private final int number;
    private final ProtectionDomain domain;
    private final Lifecycle lifecycle;
    private final AccessRights rights;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final LocalWork localWork;
    private final ScheduleMark scheduleMark = new ScheduleMark(this);
    private final Carriers carriers;
    private final ProtectionTable memory;
    private final Scheduler scheduler;
    private final Events events;
    private final @Nullable RegisterWork registers;
    private @Nullable Transport transport;

    /** @param registers null if the queue pair takes no registrations */
    public Pair(
            int number,
            ProtectionDomain domain,
            Queues queues,
            EngineParts parts,
            Carriers carriers,
            @Nullable RegisterWork registers) {
        this.number = number;
        this.domain = domain;
        this.carriers = carriers;
        this.registers = registers;
        this.memory = parts.memory();
        this.scheduler = parts.scheduler();
        this.events = parts.events();
        this.lifecycle = new Lifecycle(number, queues.sends());
        this.rights = new AccessRights(domain, number);
        this.localWork = new LocalWork(rights, memory, queues.sends(), registers);
        OperationCount operations = new OperationCount(memory, domain);
        SendCompletions completions = new SendCompletions(number, queues, parts.completions(), operations);
        this.sends = new SendQueue(queues.sends(), completions, registers);
        this.receives = new ReceiveQueue(number, queues, parts.completions(), this::onOverrun);
    }

    // --- control: what its consumer asks for

    /** The present state. Any thread. */
    public QueuePairState state() {
        return lifecycle.state();
    }

    /** RESET or INIT → INIT: receives may be posted. {@code remoteRights} says which operations of a peer are allowed at all. */
    public void initialize(Set<Right> remoteRights) {
        lifecycle.request(QueuePairState.INIT);
        rights.enable(remoteRights);
    }

    /**
     * INIT → RTR: the first carrier that reaches the peer makes the transport.
     *
     * @throws IllegalStateException in another state, or if no carrier reaches the peer; nothing has changed then
     */
    public void readyToReceive(AttachParameters parameters) {
        lifecycle.require(QueuePairState.READY_TO_RECEIVE);
        transport = carriers.attach(this, parameters);
        lifecycle.request(QueuePairState.READY_TO_RECEIVE);
    }

    /** Allows the peer only those operations that are in this set too: a connection never adds a right to those of {@link #initialize}. */
    public void narrow(Set<Right> remoteRights) {
        rights.narrow(remoteRights);
    }

    /** RTR → RTS. */
    public void readyToSend(ReadyParameters parameters) {
        lifecycle.requireReadyToReceive();
        transport().readyToSend(parameters);
        lifecycle.requestReadyToSend();
        schedule();
    }

    /** RESET or INIT → INIT → RTR → RTS, for a service without a peer. If it throws, nothing has changed. */
    public void activate(AttachParameters parameters) {
        lifecycle.require(QueuePairState.INIT);
        transport = carriers.attach(this, parameters);
        lifecycle.request(QueuePairState.INIT);
        lifecycle.request(QueuePairState.READY_TO_RECEIVE);
        lifecycle.requestReadyToSend();
        schedule();
    }

    /** RTS → SQD: finishes begun requests, begins none; an event tells when all are done. */
    public void drain() {
        lifecycle.requestDrain();
        schedule();
    }

    /** SQD → RTS, and SQE → RTS for a service that has it. */
    public void resume() {
        lifecycle.requestResume();
        schedule();
    }

    /** Any → ERROR: everything posted comes back flushed, now and later. */
    public void abort() {
        answerLast();
        enterError(null, "");
    }

    /** Any → RESET: everything posted is forgotten, and the transport is detached. */
    public void reset() {
        answerLast();
        lifecycle.become(QueuePairState.RESET);
        Transport old = transport;
        if (old != null) {
            transport = null;
            old.stop();
            old.detach();
        }
        sends.discard();
        receives.discard();
        memory.releaseQueuePair(rights.binder());
    }

    private void answerLast() {
        if (transport != null && state().answers()) {
            transport.answerLast();
        }
    }

    // --- what the engine asks for

    @Override
    public int number() {
        return number;
    }

    @Override
    public ScheduleMark scheduleMark() {
        return scheduleMark;
    }

    @Override
    public boolean transmit(long nowNs, int budget) {
        return switch (state()) {
            case RESET, INIT -> false;
            case READY_TO_RECEIVE -> transport().transmit(nowNs, budget);
            case READY_TO_SEND, SEND_QUEUE_DRAINED -> {
                Transport present = transport();
                boolean more = present.transmit(nowNs, budget);
                if (lifecycle.takeDrained(present.isSending())) {
                    event(EventKind.SEND_QUEUE_DRAINED);
                }
                yield more;
            }
            case SEND_QUEUE_ERROR -> {
                flushSends();
                yield transport().transmit(nowNs, budget);
            }
            case ERROR -> {
                flush();
                yield false;
            }
        };
    }

    @Override
    public void onMemoryFault() {
        fail(EventKind.QUEUE_PAIR_FATAL);
    }

    // --- what its transport asks for

    public ProtectionDomain domain() {
        return domain;
    }

    public Lifecycle lifecycle() {
        return lifecycle;
    }

    public AccessRights rights() {
        return rights;
    }

    public SendQueue sends() {
        return sends;
    }

    public ReceiveQueue receives() {
        return receives;
    }

    public LocalWork localWork() {
        return localWork;
    }

    /** Has {@link Transport#transmit} called soon. */
    public void schedule() {
        scheduler.add(this);
    }

    /** The same, for a queue pair that waited for a page, here or at the peer. */
    public void scheduleResumed() {
        scheduler.addResumed(this);
    }

    public void event(EventKind kind) {
        event(kind, "");
    }

    /** An event with a sentence for people about its cause. */
    public void event(EventKind kind, String detail) {
        events.onEvent(kind, this, detail);
    }

    /**
     * The oldest request is done or has failed.
     *
     * @return false if the queue pair has failed, because the completion found no room
     */
    public boolean retire(Status status, Verdict verdict) {
        boolean told = sends.retire(status, verdict);
        if (!told) {
            fail(EventKind.QUEUE_PAIR_FATAL);
        }
        return told;
    }

    /** To ERROR, with an event: its consumer did not ask for it. Everything posted comes back flushed, now and later. */
    public void fail(EventKind kind) {
        fail(kind, "");
    }

    /** To ERROR, with an event that has a sentence for people about its cause. */
    public void fail(EventKind kind, String detail) {
        enterError(kind, detail);
    }

    /** Whether the queue pair goes on, with {@link #failSends}, when a local request with this operation fails. */
    public boolean survives(Operation operation) {
        return operation == Operation.REGISTER && registers != null && registers.drains();
    }

    /** To SQE: requests come back flushed until the consumer resumes; receives go on. */
    public void failSends() {
        if (!lifecycle.is(QueuePairState.ERROR)) {
            lifecycle.become(QueuePairState.SEND_QUEUE_ERROR);
            flushSends();
        }
    }

    private Transport transport() {
        Transport present = transport;
        assert present != null : "no transport in state " + state();
        return present;
    }

    private void onOverrun() {
        fail(EventKind.QUEUE_PAIR_FATAL);
    }

    private void enterError(@Nullable EventKind kind, String detail) {
        if (lifecycle.is(QueuePairState.ERROR)) {
            return;
        }
        lifecycle.become(QueuePairState.ERROR);
        if (transport != null) {
            transport.stop();
        }
        if (kind != null) {
            event(kind, detail);
            if (!lifecycle.is(QueuePairState.ERROR)) {
                return; // a watcher of the event has reset the queue pair: its work is forgotten, later work is good
            }
        }
        flush();
        if (receives.source().shared()) {
            event(EventKind.LAST_RECEIVE_REACHED);
        }
    }

    private void flush() {
        flushSends();
        receives.flush();
    }

    private void flushSends() {
        // A position, not a count: a completion without room has the queue pair flush everything in the middle of this.
        long end = sends.retired() + sends.posted();
        while (sends.retired() < end) {
            retire(Status.FLUSHED, Verdict.GRANTED);
        }
        if (transport != null) {
            transport.onFlushed();
        }
    }
}
