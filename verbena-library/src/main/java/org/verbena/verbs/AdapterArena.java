package org.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.adapter.Runner;
import org.verbena.memory.registration.BufferTable;
import org.verbena.time.Durations;

/** An arena whose close waits for work requests that use its memory, deregisters the memory, then frees it. Any thread. */
final class AdapterArena implements Arena {
    /** Longest wait before the tables are asked again. */
    private static final long PAUSE_NS = 10_000_000;

    private final AdapterRegistrations registrations;
    private final Runner runner;
    private final long limitNs;
    private final Arena memory = Arena.ofShared();
    private final AtomicReference<CompletableFuture<Void>> news = new AtomicReference<>(new CompletableFuture<>());

    AdapterArena(AdapterRegistrations registrations, Runner runner) {
        this.registrations = registrations;
        this.runner = runner;
        this.limitNs = Durations.toNanos(registrations.own().options().closeLimit());
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return memory.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
        return memory.scope();
    }

    @Override
    public synchronized void close() {
        if (!scope().isAlive()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            interrupted |= awaitIdle();
            memory.close();
            registrations.remove(this);
        } finally {
            registrations.all().forEach(table -> table.forgetScope(scope()));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Frees the memory, which is not registered any more. */
    synchronized void free() {
        if (scope().isAlive()) {
            memory.close();
            registrations.remove(this);
        }
    }

    /** Returns whether the thread was interrupted meanwhile; an interrupt does not end the wait. */
    private boolean awaitIdle() {
        boolean interrupted = false;
        long startNs = registrations.clock().nowNs();
        for (int left = end(); left > 0; left = end()) {
            long leftNs = startNs + limitNs - registrations.clock().nowNs();
            if (leftNs <= 0) {
                throw inUse(left);
            }
            CompletableFuture<Void> next = new CompletableFuture<>();
            news.set(next);
            try {
                runner.await(next, Math.min(leftNs, PAUSE_NS));
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (IllegalStateException cannotWait) {
                IllegalStateException inUse = inUse(left);
                inUse.addSuppressed(cannotWait);
                throw inUse;
            }
        }
        return interrupted;
    }

    /** Ends what is idle; the number of work requests that are left. */
    private int end() {
        int left = 0;
        for (BufferTable table : registrations.all()) {
            left += table.closeScope(scope(), this::tell);
        }
        return left;
    }

    private void tell() {
        news.get().complete(null);
    }

    private IllegalStateException inUse(int operations) {
        return new IllegalStateException("the arena cannot be closed: " + operations
                + " work requests use its memory, posted receives included. Close or abort their queue pairs first, or close the adapter, which"
                + " closes its arenas; nothing has been freed");
    }
}
