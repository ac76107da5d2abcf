package org.verbena.memory.store;

import java.util.zip.CRC32C;

/**
 * Moves the pages of transfers between memory and a file. Neighbouring pages go in one system call. If the call fails, each page gets
 * a call of its own, so that only the pages concerned fail. One thread.
 */
final class PageMover {
    /** Result of a read beyond the end of the file: the bytes that were written are not there any more. */
    private static final int END_OF_FILE = -1;

    private final int fd;
    private final FileCalls calls;
    private final SlotBook book;
    private final long room;
    private final PageVector vector = new PageVector();
    private final CRC32C crc = new CRC32C();
    private final int[] checksums = new int[Transfer.PAGES_MAX];

    /** @param room number of slots that may hold a page at a time */
    PageMover(int fd, FileCalls calls, SlotBook book, long room) {
        this.fd = fd;
        this.calls = calls;
        this.book = book;
        this.room = room;
    }

    /** Moves the pages of a transfer; the caller ends it. Never throws: failures are in the outcomes. */
    void move(Transfer transfer) {
        try {
            prepare(transfer);
            for (int from = 0; from < transfer.pages(); ) {
                int to = runEnd(transfer, from);
                moveRun(transfer, from, to);
                from = Math.max(to, from + 1);
            }
        } catch (Throwable e) { // closed memory, a full heap or a bug must not end a thread of the store
            transfer.outcomes(Outcome.IO_ERROR);
        }
        conclude(transfer);
    }

    /** The result of an attempt to move a transfer without waiting. */
    enum Attempt {
        /** The pages are moved; the caller ends the transfer. */
        DONE,
        /** The transfer is unchanged and must be moved by {@link PageMover#move}. */
        NOT_DONE,
        /** Like NOT_DONE, and the system does not support such an attempt. */
        UNSUPPORTED
    }

    /** Reads the pages of a transfer if all of them are in the page cache. Every other case is left to {@link #move}. */
    Attempt moveCached(Transfer transfer) {
        int pages = transfer.pages();
        long moved;
        try {
            prepare(transfer);
            if (runEnd(transfer, 0) < pages) {
                transfer.outcomes(Outcome.DONE);
                return Attempt.NOT_DONE;
            }
            int count = vector.fill(transfer, 0, pages, 0);
            moved = calls.preadvCached(fd, vector.address(), count, transfer.slot(0) * PageStore.PAGE);
        } catch (RuntimeException | Error unusual) {
            transfer.outcomes(Outcome.DONE);
            return Attempt.NOT_DONE;
        }
        if (moved == (long) pages * PageStore.PAGE) {
            conclude(transfer);
            return Attempt.DONE;
        }
        boolean supported =
                moved >= 0 || moved == -FileCalls.EAGAIN || moved == -FileCalls.EINTR || moved == -FileCalls.EIO;
        return supported ? Attempt.NOT_DONE : Attempt.UNSUPPORTED;
    }

    /** Sets the outcome of pages that cannot be moved, and takes the checksums of the pages to be written. */
    private void prepare(Transfer transfer) {
        boolean write = transfer.kind() == Transfer.Kind.WRITE;
        if (!transfer.alive()) {
            // Against the contract of Transfer. The system call would use memory that may belong to something else now.
            throw new IllegalStateException("the memory of " + transfer + " was closed");
        }
        for (int page = 0; page < transfer.pages(); page++) {
            long slot = transfer.slot(page);
            if (!write) {
                transfer.outcome(page, book.holds(slot) ? Outcome.DONE : Outcome.CORRUPT);
            } else if (book.claim(slot, room)) {
                checksums[page] = SlotBook.checksum(crc, transfer.page(page));
            } else {
                transfer.outcome(page, Outcome.NO_SPACE);
            }
        }
    }

    /** The end of the run of pages from here on that can be moved together. */
    private static int runEnd(Transfer transfer, int from) {
        int page = from;
        while (page < transfer.pages() && transfer.outcome(page) == Outcome.DONE) {
            page++;
        }
        return page;
    }

    private void moveRun(Transfer transfer, int from, int to) {
        int failure = call(transfer, from, to);
        if (failure == 0) {
            return;
        }
        for (int page = from; page < to; page++) {
            int alone = to - from == 1 ? failure : call(transfer, page, page + 1);
            if (alone != 0) {
                transfer.outcome(page, outcome(transfer.kind(), alone));
            }
        }
    }

    private static Outcome outcome(Transfer.Kind kind, int failure) {
        if (failure == END_OF_FILE) {
            return Outcome.CORRUPT;
        }
        boolean full = failure == FileCalls.ENOSPC || failure == FileCalls.EDQUOT;
        return full && kind == Transfer.Kind.WRITE ? Outcome.NO_SPACE : Outcome.IO_ERROR;
    }

    /** Makes system calls until all pages are moved. Returns 0, the error number or {@link #END_OF_FILE}. */
    private int call(Transfer transfer, int from, int to) {
        boolean read = transfer.kind() == Transfer.Kind.READ;
        long bytes = (long) (to - from) * PageStore.PAGE;
        long position = transfer.slot(from) * PageStore.PAGE;
        for (long done = 0; done < bytes; ) {
            int count = vector.fill(transfer, from, to, done);
            long moved = read
                    ? calls.preadv(fd, vector.address(), count, position + done)
                    : calls.pwritev(fd, vector.address(), count, position + done);
            if (moved == 0) {
                return read ? END_OF_FILE : FileCalls.EIO;
            }
            if (moved < 0 && moved != -FileCalls.EINTR) {
                return (int) -moved;
            }
            done += Math.max(0, moved);
        }
        return 0;
    }

    /** Checks the pages read; notes the checksums of pages written; forgets the slots whose write failed. */
    private void conclude(Transfer transfer) {
        for (int page = 0; page < transfer.pages(); page++) {
            if (transfer.kind() == Transfer.Kind.READ) {
                verify(transfer, page);
            } else if (transfer.outcome(page) == Outcome.DONE) {
                book.onWritten(transfer.slot(page), checksums[page]);
            } else if (book.forget(transfer.slot(page))) {
                calls.punchHole(fd, transfer.slot(page) * PageStore.PAGE, PageStore.PAGE);
            }
        }
    }

    private void verify(Transfer transfer, int page) {
        if (transfer.outcome(page) != Outcome.DONE) {
            return;
        }
        try {
            boolean same = book.matches(transfer.slot(page), SlotBook.checksum(crc, transfer.page(page)));
            transfer.outcome(page, same ? Outcome.DONE : Outcome.CORRUPT);
        } catch (RuntimeException memoryClosed) {
            transfer.outcome(page, Outcome.IO_ERROR);
        }
    }

    /** Gives the space of slots back to the file system. If that fails, the file keeps the space until the slots are written again. */
    void discard(long firstSlot, long slots) {
        calls.punchHole(fd, firstSlot * PageStore.PAGE, slots * PageStore.PAGE);
    }
}
