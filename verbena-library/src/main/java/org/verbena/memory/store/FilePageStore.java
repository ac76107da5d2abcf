package org.verbena.memory.store;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.verbena.time.Clock;

/**
 * A store in a file, on Linux only: pages go straight from the file into machine memory and back. A few threads of its own do the
 * system calls, so an interrupt of whoever submits a transfer harms nothing. Where the pages are in the operating system's page
 * cache, whoever submits may read them itself ({@link Transfer#byCaller}).
 *
 * <p>The file has mode 0600 and no name: it is unlinked as soon as it is open, so that its pages are gone when the process
 * is, however it ends. A listener that throws is reported to its thread's handler of uncaught exceptions; the thread goes
 * on.
 */
public final class FilePageStore implements PageStore {
    private final PageFile file;
    private final Clock clock;
    private final Thread[] threads;
    private final TransferQueue queue;
    private final CachedReads cached;
    private final SlotRanges ranges = new SlotRanges();
    private final SlotBook book = new SlotBook();
    private final StoreStatistics statistics = new StoreStatistics();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * Opens a store.
     *
     * @param clock measures the transfers
     * @throws java.io.UncheckedIOException if the file cannot be made
     * @throws UnsupportedOperationException on anything but Linux
     */
    public static FilePageStore open(StoreOptions options, Clock clock) {
        String system = System.getProperty("os.name", "");
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            throw new UnsupportedOperationException("a page store in a file needs Linux; found " + system);
        }
        return new FilePageStore(options, clock, LinuxFileCalls::new);
    }

    /** @param calls gives each thread its own */
    FilePageStore(StoreOptions options, Clock clock, Supplier<? extends FileCalls> calls) {
        this.clock = clock;
        this.file = PageFile.create(options.path(), options.direct());
        this.threads = new Thread[options.threads()];
        this.queue = new TransferQueue(threads);
        long room = options.bytesMax() / PAGE;
        this.cached = new CachedReads(new PageMover(file.fd(), calls.get(), book, room), !file.direct());
        for (int i = 0; i < threads.length; i++) {
            int index = i;
            PageMover mover = new PageMover(file.fd(), calls.get(), book, room);
            threads[i] = Thread.ofPlatform()
                    .name(file.path().getFileName() + "-" + i)
                    .daemon(true)
                    .inheritInheritableThreadLocals(false)
                    .unstarted(() -> run(index, mover));
        }
        startAll();
    }

    private void startAll() {
        try {
            for (Thread thread : threads) {
                thread.start();
            }
        } catch (Throwable noThread) {
            close();
            throw noThread;
        }
    }

    private void run(int index, PageMover mover) {
        while (!closed) {
            try {
                turn(index, mover);
            } catch (Throwable e) {
                report(e);
            }
        }
    }

    private void turn(int index, PageMover mover) {
        Runnable errand = queue.pollErrand();
        if (errand != null) {
            errand.run();
            return;
        }
        Transfer transfer = queue.pollTransfer();
        if (transfer != null) {
            move(transfer, mover);
            end(transfer);
            return;
        }
        TransferQueue.Discarded slots = queue.pollDiscarded();
        if (slots == null) {
            queue.sleep(index);
            return;
        }
        mover.discard(slots.firstSlot(), slots.slots());
        ranges.release(slots.firstSlot(), slots.slots());
    }

    /** A transfer ends whatever happens: somebody waits for it. */
    private static void move(Transfer transfer, PageMover mover) {
        try {
            mover.move(transfer);
        } catch (Throwable e) {
            transfer.outcomes(Outcome.IO_ERROR);
            report(e);
        }
    }

    private void end(Transfer transfer) {
        statistics.onEnd(transfer, clock.nowNs());
        transfer.end();
    }

    private void endHere(Transfer transfer) {
        try {
            end(transfer);
        } catch (Throwable e) {
            report(e);
        }
    }

    private static void report(Throwable e) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        } catch (Throwable _) {
            // Nobody is left to tell.
        }
    }

    /** Whether transfers go past the operating system's page cache. */
    public boolean direct() {
        return file.direct();
    }

    @Override
    public long reserve(long slots) {
        return ranges.reserve(slots);
    }

    /** Slots that held something are given out again once their room in the file is given back, on a thread of the store's. */
    @Override
    public void release(long firstSlot, long slots) {
        ranges.check(firstSlot, slots);
        if (book.forget(firstSlot, slots)) {
            queue.add(new TransferQueue.Discarded(firstSlot, slots));
        } else {
            ranges.release(firstSlot, slots);
        }
    }

    @Override
    public void submit(Transfer transfer) {
        if (transfer.firstSlot() + transfer.pages() > ranges.end()) {
            ranges.check(transfer.firstSlot(), transfer.pages());
        }
        transfer.submittedNs = clock.nowNs();
        if (transfer.mayBeByCaller() && transfer.kind() == Transfer.Kind.READ && cached.tryRead(transfer)) {
            endHere(transfer);
            return;
        }
        queue.add(transfer);
        if (closed) {
            cutOff();
        }
    }

    @Override
    public void lend(Runnable errand) {
        queue.add(errand);
        if (closed) {
            cutOff();
        }
    }

    /** Ends what waits and will not be worked at any more. */
    private void cutOff() {
        for (Runnable errand = queue.pollErrand(); errand != null; errand = queue.pollErrand()) {
            errand.run();
        }
        for (Transfer transfer = queue.pollTransfer(); transfer != null; transfer = queue.pollTransfer()) {
            transfer.outcomes(Outcome.CLOSED);
            end(transfer);
        }
    }

    @Override
    public long slotsUsed() {
        return book.used();
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public StoreStatistics statistics() {
        return statistics;
    }

    @Override
    public String name() {
        return "page file " + file.path() + (direct() ? ", direct" : ", cached");
    }

    /** Waits for the transfers that are worked at, unless it is a listener that calls. A second call does not wait for the first. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        closed = true;
        queue.wakeAll();
        awaitThreads();
        cached.close();
        cutOff();
        file.close();
        book.forget(0, ranges.end());
    }

    private void awaitThreads() {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread != null && !thread.equals(Thread.currentThread()) && thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
