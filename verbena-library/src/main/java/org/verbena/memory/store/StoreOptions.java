package org.verbena.memory.store;

import java.nio.file.Path;

/**
 * How to open a {@link FilePageStore}.
 *
 * @param path a directory in which it makes its file, or the name of a file that does not exist yet
 * @param bytesMax what the pages in it may come to
 * @param direct whether to go past the operating system's page cache where the file system can; pages would be in memory
 *     twice otherwise
 * @param threads transfers it works at together
 */
public record StoreOptions(Path path, long bytesMax, boolean direct, int threads) {
    /** What a store can hold at most. */
    public static final long BYTES_MAX = SlotRanges.SLOTS_MAX * PageStore.PAGE;

    private static final int THREADS = 4;
    private static final int THREADS_MAX = 64;

    public StoreOptions {
        if (bytesMax < PageStore.PAGE || bytesMax > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "room for " + bytesMax + " bytes found, from " + PageStore.PAGE + " to " + BYTES_MAX + " expected");
        }
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException(threads + " threads found, 1 … " + THREADS_MAX + " expected");
        }
    }

    /** All the room there is, past the page cache, four threads. */
    public static StoreOptions at(Path path) {
        return new StoreOptions(path, BYTES_MAX, true, THREADS);
    }

    public StoreOptions withBytesMax(long bytes) {
        return new StoreOptions(path, bytes, direct, threads);
    }

    public StoreOptions withoutDirect() {
        return new StoreOptions(path, bytesMax, false, threads);
    }

    public StoreOptions withThreads(int count) {
        return new StoreOptions(path, bytesMax, direct, count);
    }
}
