package org.verbena.memory.store;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.verbena.system.NativeAccess;
import org.verbena.time.NanoClock;

/**
 * A page store in a file, on Linux only. Pages go directly between the file and machine memory. The store starts a few daemon threads
 * of its own, which make the system calls; so an interrupt of the thread that submits a transfer has no effect. Pages in the operating
 * system's page cache can be read on the thread that submits the transfer ({@link Transfer#byCaller}).
 *
 * <p>The file has mode 0600 and no name: it is unlinked as soon as it is open, so that the file system frees its pages when the
 * process ends, however it ends.
 *
 * <p>Listeners and errands run on the store's threads, unless a method says otherwise. An exception of a listener goes to the uncaught
 * exception handler of its thread; the thread goes on.
 */
public final class FilePageStore implements PageStore {
    private final PageFile file;
    private final NanoClock clock;
    private final Thread[] threads;
    private final TransferQueue queue;
    private final CachedReads cached;
    private final SlotRanges ranges = new SlotRanges();
    private final SlotBook book = new SlotBook();
    private final StoreStatistics statistics = new StoreStatistics();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * Creates the file and starts the threads. The caller closes the store.
     *
     * @param options place and size of the file, and number of threads
     * @param clock measures the transfers
     * @throws java.io.UncheckedIOException if the file cannot be created
     * @throws UnsupportedOperationException on another system than Linux
     * @throws IllegalCallerException if the JVM denies native access
     */
    public static FilePageStore open(StoreOptions options, NanoClock clock) {
        String system = System.getProperty("os.name", "");
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            throw new UnsupportedOperationException("a page store in a file needs Linux; found " + system);
        }
        NativeAccess.require();
        return new FilePageStore(options, clock, LinuxFileCalls::new);
    }

    /** @param calls makes the system calls of one thread */
    FilePageStore(StoreOptions options, NanoClock clock, Supplier<? extends FileCalls> calls) {
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

    /** Moves the pages of a transfer. The transfer ends even after an exception, since its listener waits for it. */
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
            // The handler itself failed; there is no other place to report to.
        }
    }

    /** Whether transfers bypass the operating system's page cache. */
    public boolean direct() {
        return file.direct();
    }

    @Override
    public long reserve(long slots) {
        return ranges.reserve(slots);
    }

    /**
     * Gives reserved slots back. Slots that hold a page can be reserved again after a thread of the store has given their space back
     * to the file system.
     */
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

    /** Runs the errands and ends the transfers that no thread will take any more. */
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
    public NanoClock clock() {
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

    /**
     * Waits for the transfers that the threads work at, unless the caller is one of these threads. A second call returns at once, even
     * if the first has not ended.
     */
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
