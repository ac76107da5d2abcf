package org.verbena.memory.store;

/**
 * The system calls that move pages. Every method returns the result of its call or, where that is −1, the error number as a
 * negative number. An instance belongs to one thread.
 */
interface FileCalls {
    int EINTR = 4;
    int EIO = 5;
    int EAGAIN = 11;
    int EEXIST = 17;
    int EINVAL = 22;
    int ENOSPC = 28;
    int EDQUOT = 122;

    /** Reads from a position of the file into the memory that an array of {@code iovec} names. */
    long preadv(int fd, long vectors, int count, long position);

    /**
     * Does the same, but reads only pages in the page cache: the call never waits for storage. The error is {@link #EAGAIN} if no
     * page is in the cache, and another one if the system does not support the call.
     */
    long preadvCached(int fd, long vectors, int count, long position);

    /** Writes to a position of the file from the memory that an array of {@code iovec} names. */
    long pwritev(int fd, long vectors, int count, long position);

    /** Gives the space of a part of the file back to the file system. The part reads as zeros afterwards. */
    int punchHole(int fd, long position, long bytes);
}
