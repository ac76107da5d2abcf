package org.verbena.memory.store;

/**
 * The system calls that move pages. Every method returns what the call returned or, where that is −1, the error number as
 * a negative number. An instance belongs to one thread.
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
     * The same, but only what the system has in memory: the call never waits for storage. {@link #EAGAIN} if nothing is; another
     * error where that can't be asked for.
     */
    long preadvCached(int fd, long vectors, int count, long position);

    /** Writes to a position of the file from the memory that an array of {@code iovec} names. */
    long pwritev(int fd, long vectors, int count, long position);

    /** Gives the room of a part of the file back; it reads as zeros then. */
    int punchHole(int fd, long position, long bytes);
}
