package org.verbena.verbs;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The consumer of {@link MappedCurrentIoTest}, in a process of its own. It has a mapped file and no class of the library: it does what
 * {@code docs/reference/current-io.md} says, with compare-and-set. It ends with an exception if anything is not as it must be.
 */
final class MappedCounter {
    static final long FILE = 4096;
    /** The word of the current I/O. */
    static final long WORD = 0;
    /** Number of the step that the other process allows. */
    static final long ALLOWED = 64;
    /** Number of the step that this process has done. */
    static final long DONE = 128;

    private static final long QUIESCE = 1L << 63;
    private static final long CLOSED = 1L << 62;
    private static final long INTEREST = 1L << 60;
    private static final long COUNT = 0xffff_ffffL;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment file;

    private MappedCounter(MemorySegment file) {
        this.file = file;
    }

    /** The file. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (Arena arena = Arena.ofShared();
                FileChannel file =
                        FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            new MappedCounter(file.map(FileChannel.MapMode.READ_WRITE, 0, FILE, arena)).run();
        }
        System.out.println("passed");
    }

    private void run() throws InterruptedException {
        require(begin(), "begin");
        require(begin(), "begin");
        end();
        done(1); // one operation is under way
        while ((word() & QUIESCE) == 0) {
            Thread.sleep(1);
        }
        require(!begin(), "no begin while quiescing");
        done(2);
        await(3); // the other process has seen that the swap-out waits
        end();
        require(!begin(), "no begin while quiescing");
        done(3);
        await(4); // the region is out
        require(show(INTEREST), "interest");
        while ((word() & QUIESCE) != 0) {
            Thread.sleep(1);
        }
        require(begin(), "begin after the resume");
        end();
        done(4);
        while ((word() & CLOSED) == 0) {
            Thread.sleep(1);
        }
        require(!begin(), "no begin in a region that is closed");
    }

    // --- the page's operations

    private long word() {
        return (long) LONG.getVolatile(file, WORD);
    }

    private boolean begin() {
        long now;
        do {
            now = word();
            if ((now & (QUIESCE | CLOSED)) != 0) {
                return false;
            }
        } while (!LONG.compareAndSet(file, WORD, now, now + 1));
        return true;
    }

    private void end() {
        long now;
        do {
            now = word();
            require((now & COUNT) != 0, "an operation under way");
        } while (!LONG.compareAndSet(file, WORD, now, now - 1));
    }

    private boolean show(long bit) {
        long now;
        do {
            now = word();
            if ((now & QUIESCE) == 0) {
                return false;
            }
        } while (!LONG.compareAndSet(file, WORD, now, now | bit));
        return true;
    }

    // --- steps of the test

    private void done(long step) {
        LONG.setVolatile(file, DONE, step);
    }

    private void await(long step) throws InterruptedException {
        while ((long) LONG.getVolatile(file, ALLOWED) < step) {
            Thread.sleep(1);
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what + " expected");
        }
    }
}
