package org.verbena.bench.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.FilePageStore;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.StoreOptions;
import org.verbena.time.NanoClock;

/** Page stores for experiments, in files that are deleted with the process, and ways to send pages there. */
final class Stores {
    private static final long PATIENCE_NS = 60_000_000_000L;

    private Stores() {}

    /** A file that the operating system keeps in its own memory. */
    static ObservedPageStore cached() {
        return new ObservedPageStore(
                FilePageStore.open(StoreOptions.at(directory()).withoutDirect(), NanoClock.system()));
    }

    /** A file on disk, past the operating system's page cache where the file system can. */
    static ObservedPageStore onDisk() {
        return new ObservedPageStore(FilePageStore.open(StoreOptions.at(directory()), NanoClock.system()));
    }

    /** The directory of store files: chosen by the user, or that of temporary files. */
    private static Path directory() {
        try {
            Path directory = Path.of(System.getProperty("verbena.bench.store", System.getProperty("java.io.tmpdir")));
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Hypervisor hypervisor(long bytes, PageStore store) {
        return hypervisor(bytes, store, Hypervisor.Policy.S3_FIFO);
    }

    static Hypervisor hypervisor(long bytes, PageStore store, Hypervisor.Policy policy) {
        return Hypervisor.open(HypervisorOptions.of(bytes).withStore(store).withPolicy(policy));
    }

    /** Sends all pages of a memory to the store and waits until none is left. */
    static void pageOut(ManagedMemory memory) {
        long begin = System.nanoTime();
        for (long page = 0; page < memory.length() / PageStore.PAGE; ) {
            if (memory.contiguousFrom(page * PageStore.PAGE) == 0) {
                page++;
                continue;
            }
            if (System.nanoTime() - begin > PATIENCE_NS) {
                throw new IllegalStateException("page " + page + " of " + memory + " stays in machine memory");
            }
            long offset = page * PageStore.PAGE;
            memory.advise(offset, memory.length() - offset, Advice.PAGE_OUT);
            pause(1);
        }
    }

    static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Writes something into every page. */
    static void touch(ManagedMemory memory) {
        MemorySegment page = Arena.ofAuto().allocate(PageStore.PAGE);
        for (long offset = 0; offset + PageStore.PAGE <= memory.length(); offset += PageStore.PAGE) {
            page.set(ValueLayout.JAVA_LONG, 0, offset + 1);
            memory.write(offset, page);
        }
    }
}
