package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.time.NanoClock;

/** A real file whose system calls fail, are cut short or are interrupted. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the file store is for Linux only")
final class FailingFileTest {
    private static final int PAGE = PageStore.PAGE;

    /** Between the store and the system. One thread at a time sets what goes wrong. */
    private static final class Calls implements FileCalls {
        private final LinuxFileCalls real = new LinuxFileCalls();

        @Override
        public long preadv(int fd, long vectors, int count, long position) {
            long trouble = trouble(count, position);
            return trouble < 0 ? trouble : real.preadv(fd, cut(vectors), (int) trouble, position);
        }

        @Override
        public long preadvCached(int fd, long vectors, int count, long position) {
            throw new AssertionError("a call that the test does not expect");
        }

        @Override
        public long pwritev(int fd, long vectors, int count, long position) {
            long trouble = trouble(count, position);
            return trouble < 0 ? trouble : real.pwritev(fd, cut(vectors), (int) trouble, position);
        }

        @Override
        public int punchHole(int fd, long position, long bytes) {
            return real.punchHole(fd, position, bytes);
        }

        /** Three sectors of the first page at most, if it is to be so; only the first vector is passed on then. */
        @SuppressWarnings("restricted") // the store passes a bare address
        private static long cut(long vectors) {
            if (sectors) {
                MemorySegment first = MemorySegment.ofAddress(vectors).reinterpret(16);
                first.set(ValueLayout.JAVA_LONG, 8, Math.min(1536, first.get(ValueLayout.JAVA_LONG, 8)));
            }
            return vectors;
        }

        /** An error, or how many vectors to let through. */
        private static long trouble(int count, long position) {
            if (INTERRUPTS.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return -EINTR;
            }
            if (badPage * PAGE >= position && badPage * PAGE < position + (long) count * PAGE) {
                return -error;
            }
            return Math.min(count, vectorsMax);
        }
    }

    private static final AtomicInteger INTERRUPTS = new AtomicInteger();
    private static volatile boolean sectors;
    private static volatile int vectorsMax;
    private static volatile long badPage;
    private static volatile int error;

    private final Pages pages = new Pages(32);
    private final FilePageStore store =
            new FilePageStore(StoreOptions.at(Path.of("target")).withThreads(1), NanoClock.system(), Calls::new);
    private final long slot = store.reserve(16);

    @BeforeEach
    void nothingGoesWrong() {
        INTERRUPTS.set(0);
        vectorsMax = Integer.MAX_VALUE;
        sectors = false;
        badPage = -1;
        pages.fill(8);
    }

    @AfterEach
    void close() {
        store.close();
        pages.close();
    }

    private List<Outcome> run(Transfer transfer) {
        int before = pages.ended.get();
        store.submit(transfer);
        FileContractTest.awaitEnded(pages, before + 1);
        return Pages.outcomes(transfer);
    }

    private List<Outcome> writeAll() {
        return run(pages.write(slot, IntStream.range(0, 16).toArray()));
    }

    private List<Outcome> readAll() {
        return run(pages.read(slot, IntStream.range(16, 32).toArray()));
    }

    private static List<Outcome> allDoneBut(int page, Outcome outcome) {
        return IntStream.range(0, 16)
                .mapToObj(i -> i == page ? outcome : Outcome.DONE)
                .toList();
    }

    @Test
    void aBadBlockCostsItsOwnPageOnly() {
        writeAll();
        badPage = slot + 6;
        error = FileCalls.EIO;
        assertEquals(allDoneBut(6, Outcome.IO_ERROR), readAll());
        assertEquals(-1, pages.page(7).mismatch(pages.page(16 + 7)));
        badPage = -1;
        assertEquals(allDoneBut(-1, Outcome.DONE), readAll());
    }

    @Test
    void aPageThatCouldNotBeWrittenIsNotReadLater() {
        writeAll();
        badPage = slot + 3;
        error = FileCalls.EIO;
        assertEquals(allDoneBut(3, Outcome.IO_ERROR), writeAll());
        assertEquals(15, store.slotsUsed());
        badPage = -1;
        assertEquals(allDoneBut(3, Outcome.CORRUPT), readAll());
    }

    @Test
    void noRoomAndNoQuotaAreTheSame() {
        badPage = slot + 15;
        for (int full : new int[] {FileCalls.ENOSPC, FileCalls.EDQUOT}) {
            error = full;
            assertEquals(allDoneBut(15, Outcome.NO_SPACE), writeAll());
        }
        badPage = -1;
        assertEquals(allDoneBut(-1, Outcome.DONE), writeAll());
    }

    @Test
    void shortAndInterruptedCallsGoOn() {
        vectorsMax = 5;
        transferWithInterrupts();
    }

    @Test
    void callsThatEndWithinAPageGoOnThere() {
        vectorsMax = 1;
        sectors = true;
        transferWithInterrupts();
    }

    private void transferWithInterrupts() {
        INTERRUPTS.set(3);
        assertEquals(Set.of(Outcome.DONE), Set.copyOf(writeAll()));
        INTERRUPTS.set(3);
        assertEquals(Set.of(Outcome.DONE), Set.copyOf(readAll()));
        for (int page = 0; page < 16; page++) {
            assertEquals(-1, pages.page(page).mismatch(pages.page(16 + page)));
        }
        assertEquals(0, INTERRUPTS.get());
    }
}
