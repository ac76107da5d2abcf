package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.time.NanoClock;

/** What the file does beyond the contract, on real file systems. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the file store is for Linux only")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FilePageStoreTest {
    private static final int PAGE = PageStore.PAGE;

    private final Pages pages = new Pages(128);

    /** Beside the build, not in the system's directory for such: that is memory on many machines. */
    @TempDir(factory = InTarget.class)
    Path directory = Path.of("");

    @BeforeEach
    void fill() {
        pages.fill(3);
    }

    @AfterEach
    void close() {
        pages.close();
    }

    private FilePageStore open() {
        return FilePageStore.open(StoreOptions.at(directory), NanoClock.system());
    }

    private List<Outcome> run(PageStore store, Transfer transfer) {
        int before = pages.ended.get();
        store.submit(transfer);
        FileContractTest.awaitEnded(pages, before + 1);
        return Pages.outcomes(transfer);
    }

    private static int[] range(int from, int to) {
        return IntStream.range(from, to).toArray();
    }

    /** The store's file, found among the open files of this process. */
    private Path openFile() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            String start = directory.toRealPath() + "/verbena-";
            return descriptors
                    .filter(link -> target(link).startsWith(start))
                    .findAny()
                    .orElseThrow();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "";
        }
    }

    @Test
    void theFileIsItsOwnersAndHasNoName() throws IOException {
        try (FilePageStore store = open()) {
            Path file = openFile();
            assertTrue(target(file).endsWith(" (deleted)"), target(file));
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            try (Stream<Path> left = Files.list(directory)) {
                assertEquals(List.of(), left.toList());
            }
            assertTrue(store.name().contains(directory.toString()), store.name());
        }
        assertThrows(java.util.NoSuchElementException.class, this::openFile);
    }

    @Test
    void aBitThatFlippedInTheFileIsFound() throws IOException {
        try (FilePageStore store = open()) {
            long slot = store.reserve(8);
            assertEquals(Set.of(Outcome.DONE), Set.copyOf(run(store, pages.write(slot, range(0, 8)))));
            try (RandomAccessFile raw = new RandomAccessFile(openFile().toFile(), "rw")) {
                long position = (slot + 5) * PAGE + 1234;
                raw.seek(position);
                int changed = raw.read() ^ 4;
                raw.seek(position);
                raw.write(changed);
            }
            List<Outcome> expected = new ArrayList<>(java.util.Collections.nCopies(8, Outcome.DONE));
            expected.set(5, Outcome.CORRUPT);
            assertEquals(expected, run(store, pages.read(slot, range(64, 72))));
        }
    }

    @Test
    void aFileThatLostItsEndIsFound() throws IOException {
        try (FilePageStore store = open()) {
            long slot = store.reserve(4);
            run(store, pages.write(slot, range(0, 4)));
            try (RandomAccessFile raw = new RandomAccessFile(openFile().toFile(), "rw")) {
                raw.setLength((slot + 2) * PAGE);
            }
            assertEquals(
                    List.of(Outcome.DONE, Outcome.DONE, Outcome.CORRUPT, Outcome.CORRUPT),
                    run(store, pages.read(slot, range(64, 68))));
        }
    }

    @Test
    void pagesGoPastThePageCacheWhereTheFileSystemCan() throws IOException {
        FileStore fileSystem = Files.getFileStore(directory);
        assumeTrue(Set.of("ext4", "xfs", "btrfs").contains(fileSystem.type()), "unknown: " + fileSystem.type());
        try (FilePageStore store = open()) {
            assertTrue(store.direct());
            assertTrue((flags() & LinuxFileCalls.directFlag()) != 0);
        }
        try (FilePageStore cached =
                FilePageStore.open(StoreOptions.at(directory).withoutDirect(), NanoClock.system())) {
            assertFalse(cached.direct());
            assertEquals(0, flags() & LinuxFileCalls.directFlag());
            assertEquals(List.of(Outcome.DONE), run(cached, pages.write(cached.reserve(1), 0)));
        }
    }

    private int flags() throws IOException {
        Path entry =
                Path.of("/proc/self/fdinfo").resolve(openFile().getFileName().toString());
        return Files.readAllLines(entry).stream()
                .filter(line -> line.startsWith("flags:"))
                .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
                .findAny()
                .orElseThrow();
    }

    @Test
    void releasedSlotsGiveTheirRoomBack() throws IOException {
        try (FilePageStore store = open()) {
            long slot = store.reserve(64);
            run(store, pages.write(slot, range(0, 64)));
            long before = blocks();
            assertTrue(before >= 64 * PAGE / 512, before + " blocks");
            store.release(slot, 64);
            for (int i = 0; blocks() >= before && i < 10_000; i++) {
                LockSupport.parkNanos(1_000_000);
            }
            assertTrue(blocks() < before, blocks() + " blocks of " + before);
        }
    }

    private long blocks() throws IOException {
        Process stat = new ProcessBuilder(
                        "stat",
                        "-L",
                        "-c",
                        "%b",
                        "/proc/" + ProcessHandle.current().pid() + "/fd/"
                                + openFile().getFileName())
                .start();
        return Long.parseLong(
                new String(stat.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip());
    }

    @Test
    void moreThanItsBytesDoNotFit() {
        StoreOptions options = StoreOptions.at(directory).withBytesMax(3L * PAGE + 17);
        try (FilePageStore store = FilePageStore.open(options, NanoClock.system())) {
            long slot = store.reserve(8);
            assertEquals(
                    List.of(Outcome.DONE, Outcome.DONE, Outcome.DONE, Outcome.NO_SPACE),
                    run(store, pages.write(slot, range(0, 4))));
            assertEquals(List.of(Outcome.DONE, Outcome.DONE), run(store, pages.write(slot, 7, 8)));
            store.release(slot, 1);
            assertEquals(List.of(Outcome.DONE), run(store, pages.write(slot + 3, 3)));
            assertEquals(3, store.slotsUsed());
        }
    }

    @Test
    void aFullFileSystemRefusesPagesAndKeepsTheOthers() throws Exception {
        CompletableFuture<FilePageStore> opened = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                assumeTrue(TinyFileSystem.mount(directory, 16 * PAGE), "mounting is not allowed");
                opened.complete(open());
            } catch (Throwable e) {
                opened.completeExceptionally(e);
            }
        });
        try (FilePageStore store = openedOrAborted(opened)) {
            long slot = store.reserve(32);
            List<Outcome> outcomes = run(store, pages.write(slot, range(0, 32)));
            long done = outcomes.stream().filter(Outcome.DONE::equals).count();
            assertTrue(done > 0 && done <= 16, outcomes.toString());
            assertEquals(
                    32 - done,
                    outcomes.stream().filter(Outcome.NO_SPACE::equals).count());
            assertEquals(done, store.slotsUsed());
            // A thread of the store gives the space of released slots back.
            int lost = outcomes.indexOf(Outcome.NO_SPACE);
            store.release(slot, 1);
            for (int i = 0;
                    i < 10_000 && !run(store, pages.write(slot + lost, lost)).equals(List.of(Outcome.DONE));
                    i++) {
                LockSupport.parkNanos(1_000_000);
            }
            assertEquals(List.of(Outcome.DONE), run(store, pages.read(slot + lost, 100)));
            assertEquals(-1, pages.page(lost).mismatch(pages.page(100)));
        }
    }

    private static FilePageStore openedOrAborted(CompletableFuture<FilePageStore> opened) throws Exception {
        try {
            return opened.get();
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Test
    void anInterruptOfTheSubmittingThreadHasNoEffect() {
        try (FilePageStore store = open()) {
            long slot = store.reserve(64);
            for (int page = 0; page < 64; page++) {
                Thread.currentThread().interrupt();
                store.submit(pages.write(slot + page, page));
                assertTrue(Thread.interrupted());
            }
            FileContractTest.awaitEnded(pages, 64);
            assertEquals(Set.of(Outcome.DONE), Set.copyOf(run(store, pages.read(slot, range(64, 128)))));
            Thread.currentThread().interrupt();
        }
        assertTrue(Thread.interrupted(), "close keeps the interrupt");
    }

    @Test
    void aListenerThatThrowsEndsNoThread() {
        CompletableFuture<String> reported = new CompletableFuture<>();
        StoreOptions options = StoreOptions.at(directory).withThreads(1);
        try (FilePageStore store = FilePageStore.open(options, NanoClock.system())) {
            long slot = store.reserve(1);
            store.submit(new Transfer(Transfer.Kind.WRITE, slot, pages.memory, new long[] {0}, _ -> {
                Thread.currentThread()
                        .setUncaughtExceptionHandler((_, e) -> reported.complete(String.valueOf(e.getMessage())));
                throw new IllegalStateException("a consumer's bug");
            }));
            assertEquals("a consumer's bug", reported.join());
            assertEquals(List.of(Outcome.DONE), run(store, pages.read(slot, 1)));
        }
    }

    @Test
    void aListenerMayCloseTheStore() throws Exception {
        FilePageStore store = open();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        store.submit(new Transfer(Transfer.Kind.WRITE, store.reserve(1), pages.memory, new long[] {0}, _ -> {
            store.close();
            closed.complete(true);
        }));
        assertTrue(closed.get(30, TimeUnit.SECONDS));
        Transfer late = pages.read(0, 0);
        store.submit(late);
        Pages.assertAll(Outcome.CLOSED, late);
    }

    @Test
    void memoryThatIsGoneFailsTheTransferOnly() {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        AtomicBoolean release = new AtomicBoolean();
        StoreOptions options = StoreOptions.at(directory).withThreads(1);
        try (FilePageStore store = FilePageStore.open(options, NanoClock.system())) {
            long slot = store.reserve(2);
            store.submit(new Transfer(Transfer.Kind.WRITE, slot, pages.memory, new long[] {0}, _ -> {
                written.complete(true);
                while (!release.get()) {
                    LockSupport.parkNanos(100_000);
                }
            }));
            assertTrue(written.join());
            Pages gone = new Pages(1);
            Transfer lost = gone.write(slot + 1, 0);
            Transfer lostRead = gone.read(slot, 0);
            store.submit(lost);
            store.submit(lostRead);
            gone.close();
            release.set(true);
            FileContractTest.awaitEnded(gone, 2);
            Pages.assertAll(Outcome.IO_ERROR, lost);
            Pages.assertAll(Outcome.IO_ERROR, lostRead);
            assertEquals(List.of(Outcome.DONE), run(store, pages.read(slot, 1)));
            assertEquals(1, store.slotsUsed());
        }
    }

    /** Threads of the store have no time either while the machine stops. */
    @Test
    void aStopOfTheMachineDoesNotUseUpALimit() {
        AtomicLong nowNs = new AtomicLong();
        AtomicInteger looks = new AtomicInteger();
        long limitNs = 20 * PageStore.PAUSE_MAX_NS;
        try (FilePageStore store = FilePageStore.open(StoreOptions.at(directory), nowNs::get)) {
            assertTrue(store.await(
                    () -> {
                        nowNs.addAndGet(looks.get() == 1 ? 10 * limitNs : PageStore.LOOK_NS);
                        return looks.incrementAndGet() == 10;
                    },
                    limitNs));
            assertFalse(store.await(() -> nowNs.addAndGet(10 * limitNs) < 0, limitNs), "always stopped");
            long beganNs = nowNs.get();
            assertFalse(store.await(() -> nowNs.addAndGet(limitNs / 40) < 0, limitNs));
            assertEquals(limitNs, nowNs.get() - beganNs);
        }
    }

    @Test
    void badPathsAndOptionsAreRefusedWithWhatWasFound() throws IOException {
        Path existing = Files.createFile(directory.resolve("there"));
        assertRefused(existing, "exists already");
        assertRefused(directory.resolve("no/such"), "there is no directory");
        StoreOptions options = StoreOptions.at(directory);
        assertThrows(IllegalArgumentException.class, () -> options.withBytesMax(4095));
        assertThrows(IllegalArgumentException.class, () -> options.withThreads(0));
        assertThrows(IllegalArgumentException.class, () -> options.withThreads(65));
        try (FilePageStore named = FilePageStore.open(StoreOptions.at(directory.resolve("mine")), NanoClock.system())) {
            assertFalse(Files.exists(directory.resolve("mine")), named.name());
        }
        assertTrue(Files.exists(existing));
    }

    private static void assertRefused(Path path, String reason) {
        UncheckedIOException refusal = assertThrows(
                UncheckedIOException.class, () -> FilePageStore.open(StoreOptions.at(path), NanoClock.system()));
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains(path.toString()) && message.contains(reason), message);
    }
}
