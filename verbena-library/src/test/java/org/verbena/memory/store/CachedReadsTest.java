package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.time.NanoClock;

/** The thread that submits a transfer reads pages in the page cache itself; the store's threads read all other pages. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the file store is for Linux only")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CachedReadsTest {
    private static final int EOPNOTSUPP = 95;
    private static final int ALL = Integer.MAX_VALUE;

    /** The system, which has in its memory what the test says. */
    private static final class Calls implements FileCalls {
        private final LinuxFileCalls real = new LinuxFileCalls();

        @Override
        public long preadv(int fd, long vectors, int count, long position) {
            return real.preadv(fd, vectors, count, position);
        }

        @Override
        public long preadvCached(int fd, long vectors, int count, long position) {
            ASKED.getAndIncrement();
            int there = answer;
            long moved = there < 0 ? there : real.preadv(fd, vectors, Math.min(count, there), position);
            if (flips) {
                flip(vectors);
            }
            return moved;
        }

        @SuppressWarnings("restricted") // the store passes a bare address
        private static void flip(long vectors) {
            long page = MemorySegment.ofAddress(vectors).reinterpret(8).get(ValueLayout.JAVA_LONG, 0);
            MemorySegment bytes = MemorySegment.ofAddress(page).reinterpret(Pages.PAGE);
            bytes.set(ValueLayout.JAVA_BYTE, 77, (byte) (bytes.get(ValueLayout.JAVA_BYTE, 77) ^ 1));
        }

        @Override
        public long pwritev(int fd, long vectors, int count, long position) {
            return real.pwritev(fd, vectors, count, position);
        }

        @Override
        public int punchHole(int fd, long position, long bytes) {
            return real.punchHole(fd, position, bytes);
        }
    }

    /** How many pages of those asked for are there, or an error. */
    private static volatile int answer;

    private static volatile boolean flips;
    private static final AtomicInteger ASKED = new AtomicInteger();

    private final Pages pages = new Pages(32);

    @TempDir(factory = InTarget.class)
    Path directory = Path.of("");

    @BeforeEach
    void begin() {
        pages.fill(5);
        answer = ALL;
        flips = false;
        ASKED.set(0);
    }

    @AfterEach
    void close() {
        pages.close();
    }

    private FilePageStore open() {
        return new FilePageStore(StoreOptions.at(directory).withoutDirect(), NanoClock.system(), Calls::new);
    }

    /** A store of eight pages, written. */
    private long write(PageStore store) {
        long slot = store.reserve(8);
        Transfer written = pages.write(slot, 0, 1, 2, 3, 4, 5, 6, 7);
        store.submit(written);
        FileContractTest.awaitEnded(pages, 1);
        Pages.assertAll(Outcome.DONE, written);
        return slot;
    }

    private Transfer readTwo(PageStore store, long slot) {
        Transfer read = pages.read(slot, 16, 17).byCaller();
        store.submit(read);
        return read;
    }

    private void assertRead(int ended) {
        FileContractTest.awaitEnded(pages, ended);
        assertEquals(-1, pages.page(0).mismatch(pages.page(16)));
        assertEquals(-1, pages.page(1).mismatch(pages.page(17)));
    }

    @Test
    void whatIsInMemoryIsThereWhenTheCallReturns() {
        try (FilePageStore store = open()) {
            Transfer read = readTwo(store, write(store));
            assertEquals(2, pages.ended.get());
            Pages.assertAll(Outcome.DONE, read);
            assertRead(2);
            assertEquals(1, store.statistics().reads().values().count());
            assertEquals(2, store.statistics().pages(Transfer.Kind.READ, Outcome.DONE));
        }
    }

    @Test
    void theRealSystemAnswersAtOnceWhatWasJustWritten() throws Exception {
        String type = Files.getFileStore(directory).type();
        assumeTrue(Set.of("ext4", "xfs", "btrfs").contains(type), "unknown: " + type);
        try (FilePageStore store = FilePageStore.open(StoreOptions.at(directory).withoutDirect(), NanoClock.system())) {
            readTwo(store, write(store));
            assertEquals(2, pages.ended.get());
            assertRead(2);
        }
    }

    @Test
    void whatIsNotIsReadByTheStoresThreads() {
        try (FilePageStore store = open()) {
            long slot = write(store);
            int ended = 1;
            for (int there : new int[] {-FileCalls.EAGAIN, -FileCalls.EINTR, -FileCalls.EIO, 0, 1}) {
                pages.page(16).fill((byte) 0);
                pages.page(17).fill((byte) 0);
                answer = there;
                Transfer read = readTwo(store, slot);
                assertRead(++ended);
                Pages.assertAll(Outcome.DONE, read);
            }
            assertEquals(5, ASKED.get());
        }
    }

    @Test
    void whereItCannotBeAskedForItIsAskedOnce() {
        try (FilePageStore store = open()) {
            long slot = write(store);
            answer = -EOPNOTSUPP;
            readTwo(store, slot);
            assertRead(2);
            readTwo(store, slot);
            assertRead(3);
            assertEquals(1, ASKED.get());
        }
    }

    @Test
    void aThreadThatDidNotOfferToReadDoesNotRead() {
        try (FilePageStore store = open()) {
            store.submit(pages.read(write(store), 16, 17));
            assertRead(2);
            assertEquals(0, ASKED.get());
        }
        try (FilePageStore direct = new FilePageStore(StoreOptions.at(directory), NanoClock.system(), Calls::new)) {
            assumeTrue(direct.direct(), "no direct I/O here");
            pages.ended.set(0);
            readTwo(direct, write(direct));
            assertRead(2);
            assertEquals(0, ASKED.get());
        }
    }

    @Test
    void whatCameBackChangedIsFound() {
        try (FilePageStore store = open()) {
            long slot = write(store);
            flips = true;
            Transfer changed = readTwo(store, slot);
            assertEquals(List.of(Outcome.CORRUPT, Outcome.DONE), Pages.outcomes(changed));
            assertEquals(2, pages.ended.get());
            Transfer never = pages.read(store.reserve(1), 16).byCaller();
            store.submit(never);
            FileContractTest.awaitEnded(pages, 3);
            Pages.assertAll(Outcome.CORRUPT, never);
            assertEquals(1, ASKED.get());
        }
    }

    @Test
    void aListenerMayCloseTheStoreFromTheCall() {
        FilePageStore store = open();
        long slot = write(store);
        store.submit(new Transfer(Transfer.Kind.READ, slot, pages.memory, new long[] {16L * Pages.PAGE}, _ -> {
                    store.close();
                    pages.ended.getAndIncrement();
                })
                .byCaller());
        assertEquals(2, pages.ended.get());
        Transfer late = readTwo(store, slot);
        Pages.assertAll(Outcome.CLOSED, late);
    }
}
