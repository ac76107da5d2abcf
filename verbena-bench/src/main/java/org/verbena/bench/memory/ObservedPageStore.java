package org.verbena.bench.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.ForwardingPageStore;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.Transfer;

/**
 * A store in front of another: records the exact duration of each read, and can make transfers last longer, as a slower disk
 * would.
 */
final class ObservedPageStore extends ForwardingPageStore {
    /** A read whose bytes are moved when its time has come. */
    private record Later(long dueNs, Transfer transfer) {}

    private static final int REMEMBERED = 1 << 16;
    private static final MemorySegment EVERYTHING = everything();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("slow-disk").factory());
    private volatile long readDelayNs;
    private final Queue<Transfer> held = new ArrayDeque<>();
    private final AtomicInteger writing = new AtomicInteger();
    private boolean holds;
    private final Queue<Later> due = new ArrayDeque<>();
    private volatile boolean byHand;
    private final long[] reads = new long[REMEMBERED];
    private int readCount;

    ObservedPageStore(PageStore inner) {
        super(inner);
    }

    @SuppressWarnings("restricted") // the inner store gets addresses, as it would anyway
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** Sets the least duration of reads, from now on. */
    void delayReads(long ns) {
        readDelayNs = ns;
    }

    /** Holds the ends of writes until they are released. */
    synchronized void holdWrites() {
        holds = true;
    }

    /** Ends the writes that are held. */
    void letWritesGo() {
        List<Transfer> ended;
        synchronized (this) {
            holds = false;
            ended = List.copyOf(held);
            held.clear();
        }
        ended.forEach(this::endWrite);
    }

    /** Writes submitted and not ended. */
    int writing() {
        return writing.get();
    }

    private void endWrite(Transfer transfer) {
        transfer.end();
        writing.getAndDecrement();
    }

    private synchronized boolean hold(Transfer transfer) {
        return holds && held.add(transfer);
    }

    /** Durations of the reads since the last call, in no particular order. */
    synchronized long[] takeReads() {
        long[] taken = Arrays.copyOf(reads, readCount);
        readCount = 0;
        return taken;
    }

    private synchronized void note(long ns) {
        if (readCount < REMEMBERED) {
            reads[readCount++] = ns;
        }
    }

    @Override
    public void submit(Transfer transfer) {
        long begin = System.nanoTime();
        if (transfer.kind() == Transfer.Kind.WRITE) {
            writing.getAndIncrement();
        }
        long[] addresses = new long[transfer.pages()];
        for (int page = 0; page < addresses.length; page++) {
            addresses[page] = transfer.page(page).address();
        }
        Transfer within = new Transfer(
                transfer.kind(), transfer.firstSlot(), EVERYTHING, addresses, ended -> onEnd(transfer, ended, begin));
        long delayNs = transfer.kind() == Transfer.Kind.READ ? readDelayNs : 0;
        if (delayNs > 0) {
            later(new Later(begin + delayNs, within.byCaller()));
        } else {
            inner.submit(transfer.mayBeByCaller() ? within.byCaller() : within);
        }
    }

    private void later(Later read) {
        if (!byHand) {
            // A slow disk does nothing on the thread that asks; the bytes are moved when the time is over.
            var _ = timer.schedule(
                    () -> inner.submit(read.transfer), read.dueNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            return;
        }
        synchronized (due) {
            due.add(read);
        }
    }

    /** Has the reads of a slow disk end only in calls of {@link #endDue}, so that the disk needs no thread. */
    void endByHand() {
        byHand = true;
    }

    /** Moves the bytes of all reads whose time is over. */
    void endDue() {
        for (Later read = takeDue(); read != null; read = takeDue()) {
            inner.submit(read.transfer);
        }
    }

    private @Nullable Later takeDue() {
        synchronized (due) {
            Later first = due.peek();
            return first == null || first.dueNs > System.nanoTime() ? null : due.poll();
        }
    }

    private void onEnd(Transfer transfer, Transfer ended, long begin) {
        for (int page = 0; page < ended.pages(); page++) {
            transfer.outcome(page, ended.outcome(page));
        }
        end(transfer, begin);
    }

    private void end(Transfer transfer, long begin) {
        if (transfer.kind() == Transfer.Kind.READ) {
            note(System.nanoTime() - begin);
            transfer.end();
        } else if (!hold(transfer)) {
            endWrite(transfer);
        }
    }

    @Override
    public void close() {
        timer.shutdown();
        inner.close();
    }
}
