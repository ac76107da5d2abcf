package org.verbena.memory.store;

import java.nio.file.Path;

/**
 * The options of a {@link FilePageStore}. Immutable: the {@code with…} methods return a copy.
 *
 * @param path a directory, in which the store creates its file, or the name of a file that does not exist yet
 * @param bytesMax most bytes of pages that the store holds at a time
 * @param direct whether to bypass the operating system's page cache if the file system supports it; otherwise pages are in memory
 *     twice
 * @param threads number of threads of the store: of transfers it works at together
 */
public record StoreOptions(Path path, long bytesMax, boolean direct, int threads) {
    /** The most bytes of pages that a store can hold. */
    public static final long BYTES_MAX = SlotRanges.SLOTS_MAX * PageStore.PAGE;

    private static final int THREADS = 4;
    private static final int THREADS_MAX = 64;

    /** @throws IllegalArgumentException if the size or the number of threads is out of range */
    public StoreOptions {
        if (bytesMax < PageStore.PAGE || bytesMax > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "room for " + bytesMax + " bytes found, from " + PageStore.PAGE + " to " + BYTES_MAX + " expected");
        }
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException(threads + " threads found, 1 … " + THREADS_MAX + " expected");
        }
    }

    /** A store of the largest size, which bypasses the page cache and has four threads. */
    public static StoreOptions at(Path path) {
        return new StoreOptions(path, BYTES_MAX, true, THREADS);
    }

    /** Copy with another size. */
    public StoreOptions withBytesMax(long bytes) {
        return new StoreOptions(path, bytes, direct, threads);
    }

    /** Copy that uses the page cache. */
    public StoreOptions withoutDirect() {
        return new StoreOptions(path, bytesMax, false, threads);
    }

    /** Copy with another number of threads. */
    public StoreOptions withThreads(int count) {
        return new StoreOptions(path, bytesMax, direct, count);
    }
}
