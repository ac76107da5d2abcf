package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.SmallHypervisor;

/**
 * Count and quiesce indicator in memory of the consumer: the bits that the page {@code docs/reference/current-io.md} gives, and that nothing
 * a consumer writes there decides on an access.
 */
final class ConsumerWordTest {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long QUIESCE = 0x8000_0000_0000_0000L;
    private static final long CLOSED = 0x4000_0000_0000_0000L;
    private static final long QUIESCED = 0x2000_0000_0000_0000L;
    private static final long INTEREST = 0x1000_0000_0000_0000L;

    private final Hypervisor hypervisor = SmallHypervisor.open();
    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor peer = Accessor.remote(domain, 5, Right.REMOTE_WRITE);
    private final MemorySegment data = Arena.ofAuto().allocate(64, 8);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(8, 8);
    private final AtomicInteger idle = new AtomicInteger();

    @AfterEach
    void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private TableRegion register(CurrentIo.Mode mode) {
        CurrentIoOptions options = CurrentIoOptions.of(mode).withWord(word);
        return table.register(domain, hypervisor.host().allocateWired(4096), 0, Tables.ALL, options);
    }

    private long value() {
        return (long) LONG.getVolatile(word, 0L);
    }

    /** What a program in another process does. */
    private void change(LongUnaryOperator change) {
        long now;
        do {
            now = value();
        } while (!LONG.compareAndSet(word, 0L, now, change.applyAsLong(now)));
    }

    private Verdict write(Region region) {
        return table.place(peer, region.key(), 0, data, 0, 64);
    }

    // --- the layout

    @Test
    void thePageHasTheBits() throws IOException {
        Path page = Path.of("").toAbsolutePath().resolveSibling("docs/reference/current-io.md");
        assumeTrue(Files.exists(page), "the documents are not there: not in a checkout");
        List<String> rows = Files.readAllLines(page).stream()
                .dropWhile(line -> !line.startsWith("| bits |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> cells[1].strip() + " " + cells[2].strip())
                .toList();
        assertEquals(
                List.of(
                        "0–31 count",
                        "32–59 ",
                        Long.numberOfTrailingZeros(ConsumerWord.INTEREST) + " interest",
                        Long.numberOfTrailingZeros(ConsumerWord.QUIESCED) + " quiesced",
                        Long.numberOfTrailingZeros(ConsumerWord.CLOSED) + " closed",
                        Long.numberOfTrailingZeros(ConsumerWord.QUIESCE) + " quiesce"),
                rows);
        assertEquals(32, Long.bitCount(ConsumerWord.COUNT));
        assertEquals(0, Long.numberOfTrailingZeros(ConsumerWord.COUNT));
    }

    @Test
    void countAndIndicatorAreInTheWord() {
        TableRegion region = register(CurrentIo.Mode.CONSUMER);
        RegionIo io = region.currentIo();
        assertTrue(io.begin());
        assertTrue(io.begin());
        assertEquals(2, value());
        io.end();
        assertEquals(1, value());
        assertTrue(io.requestQuiesce(idle::incrementAndGet));
        assertEquals(QUIESCE | 1, value());
        assertFalse(io.begin());
        io.end();
        assertEquals(QUIESCE, value());
        assertEquals(1, idle.get());
        assertTrue(io.clearValid());
        assertEquals(Verdict.QUIESCED, write(region));
        assertTrue(io.resumeQuietly());
        assertEquals(0, value());
        assertEquals(Verdict.GRANTED, write(region));
        assertThrows(IllegalStateException.class, io::end);
        assertEquals(0, value());
    }

    @Test
    void operationsOfAnotherProcessCount() {
        RegionIo io = register(CurrentIo.Mode.CONSUMER).currentIo();
        change(now -> now + 3);
        assertEquals(3, io.operations());
        assertTrue(io.requestQuiesce(() -> {}));
        assertFalse(io.clearValid());
        change(now -> now - 3);
        assertTrue(io.clearValid());
    }

    @Test
    void postsAreCountedInTheWordAndRefusedByIt() {
        TableRegion region = register(CurrentIo.Mode.LIBRARY);
        assertTrue(table.beginOperation(domain, region.key()));
        assertEquals(1, value());
        change(now -> now + 1); // another process has posted
        region.currentIo().requestQuiesce(idle::incrementAndGet);
        assertThrows(QuiescingException.class, () -> table.beginOperation(domain, region.key()));
        table.endOperation(domain, region.key());
        assertEquals(0, idle.get());
        table.endOperation(domain, region.key());
        assertEquals(1, idle.get());
        assertEquals(QUIESCE, value());
    }

    @Test
    void theConsumerSaysQuiescedInTheWordForOneQuiesce() {
        RegionIo io = register(CurrentIo.Mode.CONSUMER).currentIo();
        assertTrue(io.begin());
        change(now -> now | QUIESCED); // quiesce is not asked for
        assertTrue(io.requestQuiesce(() -> {}));
        assertFalse(io.clearValid());
        change(now -> now | QUIESCED);
        assertTrue(io.clearValid());
        assertTrue(io.resumeQuietly());
        assertEquals(1, value());
        assertTrue(io.requestQuiesce(() -> {}));
        assertFalse(io.clearValid(), "it was said for the first time only");
        io.quiesced();
        assertTrue(io.clearValid());
    }

    @Test
    void interestIsTakenOnceAndEndsWithTheQuiesce() {
        RegionIo io = register(CurrentIo.Mode.CONSUMER).currentIo();
        assertTrue(io.requestQuiesce(() -> {}));
        assertFalse(io.takeInterest());
        change(now -> now | INTEREST);
        assertTrue(io.takeInterest());
        assertFalse(io.takeInterest());
        change(now -> now | INTEREST);
        assertTrue(io.resumeQuietly());
        assertEquals(0, value());
        change(now -> now | INTEREST);
        assertTrue(io.requestQuiesce(() -> {}));
        assertFalse(io.takeInterest());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closingIsToldAndNothingBeginsAfterIt(boolean quiescing) {
        TableRegion region = register(CurrentIo.Mode.CONSUMER);
        RegionIo io = region.currentIo();
        assertTrue(io.begin());
        if (quiescing) {
            assertTrue(io.requestQuiesce(() -> {}));
            change(now -> now | QUIESCED | INTEREST);
        }
        region.close();
        assertEquals(CLOSED | 1, value());
        assertThrows(IllegalStateException.class, io::begin);
        assertThrows(IllegalStateException.class, io::end);
        assertFalse(io.isQuiescing());
        assertFalse(io.requestQuiesce(() -> {}));
        assertEquals(CLOSED | 1, value(), "the memory is the consumer's again");
        region.close();
    }

    @Test
    void moreOperationsThanTheCountHoldsAreRefused() {
        RegionIo io = register(CurrentIo.Mode.CONSUMER).currentIo();
        change(_ -> Integer.MAX_VALUE - 1);
        assertTrue(io.begin());
        assertEquals(
                "a region has at most 2147483647 operations at once, and has them",
                assertThrows(IllegalStateException.class, io::begin).getMessage());
        assertEquals(Integer.MAX_VALUE, value());
    }

    // --- nothing of it is believed

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 1L << 40, CLOSED, QUIESCED, INTEREST, 0x7777})
    void noValueOpensARegionOrKeepsItOpenOrClosed(long nonsense) {
        TableRegion region = register(CurrentIo.Mode.CONSUMER);
        RegionIo io = region.currentIo();
        change(_ -> nonsense);
        assertEquals(Verdict.GRANTED, write(region), "the indicator is not an access right");
        assertTrue(io.requestQuiesce(() -> {}));
        assertEquals(Verdict.GRANTED, write(region));
        io.quiesced();
        assertTrue(io.clearValid(), "the promise given by a call is enough");
        change(_ -> nonsense);
        assertEquals(Verdict.QUIESCED, write(region));
        assertFalse(region.isValid());
        change(_ -> 0);
        assertEquals(Verdict.QUIESCED, write(region));
        change(_ -> nonsense);
        assertTrue(io.resumeQuietly());
        assertEquals(Verdict.GRANTED, write(region));
        assertTrue(io.operations() >= 0);
        change(_ -> nonsense);
        int key = region.key();
        region.close();
        assertEquals(Verdict.NO_ENTRY, table.place(peer, key, 0, data, 0, 64));
    }

    @Test
    void anIndicatorThatTheConsumerClearsIsSetAgain() {
        RegionIo io = register(CurrentIo.Mode.CONSUMER).currentIo();
        assertTrue(io.begin());
        assertTrue(io.requestQuiesce(() -> {}));
        change(now -> now & ~QUIESCE);
        assertFalse(io.begin(), "this process knows");
        assertFalse(io.clearValid());
        assertEquals(QUIESCE | 1, value());
    }

    @Test
    void anEndTooManyInAnotherProcessDelaysNothingElse() {
        TableRegion region = register(CurrentIo.Mode.LIBRARY);
        change(_ -> -1); // a subtraction below zero
        table.endOperation(domain, region.key());
        assertEquals(Integer.MAX_VALUE, region.currentIo().operations());
        assertTrue(region.currentIo().requestQuiesce(() -> {}));
        assertEquals(Verdict.GRANTED, write(region));
    }

    @Test
    void aWordThatChangesUnderEachAttemptIsGivenUp() {
        ConsumerWord restless = ConsumerWord.in(word);
        assertEquals(CLOSED, restless.change(now -> {
            word.set(ValueLayout.JAVA_LONG, 0, now + 1); // another process is faster, each time
            return now + 2;
        }));
        assertTrue(restless.isLost());
        long left = value();
        assertEquals(StateWord.Beginning.INVALID, restless.begin());
        assertEquals(left, value());
    }

    // --- memory that ends

    @Test
    void anArenaThatIsClosedEndsTheCountingAndNotTheRegion() {
        TableRegion region = register(CurrentIo.Mode.CONSUMER);
        RegionIo io = region.currentIo();
        assertTrue(io.begin());
        arena.close();
        assertThrows(IllegalStateException.class, io::begin);
        assertEquals(
                "the word of the current I/O is lost: its arena is closed",
                assertThrows(IllegalStateException.class, io::begin).getMessage());
        assertThrows(IllegalStateException.class, io::end);
        assertEquals(0, io.operations());
        assertFalse(io.requestQuiesce(() -> {}));
        assertEquals(Verdict.GRANTED, write(region));
        region.close();
    }

    @Test
    void anArenaThatIsClosedWhileQuiescingKeepsTheRegionValid() {
        TableRegion region = register(CurrentIo.Mode.LIBRARY);
        RegionIo io = region.currentIo();
        assertTrue(table.beginOperation(domain, region.key()));
        assertTrue(io.requestQuiesce(() -> {}));
        arena.close();
        assertFalse(io.clearValid());
        assertTrue(io.isWordLost());
        assertThrows(QuiescingException.class, () -> table.beginOperation(domain, region.key()));
        table.endOperation(domain, region.key());
        assertTrue(io.resumeQuietly());
        assertFalse(table.beginOperation(domain, region.key()), "posted, and not counted");
        assertEquals(Verdict.GRANTED, write(region));
    }

    @Test
    void anArenaThatIsClosedWhileTheRegionIsOutDoesNotKeepItOut() {
        TableRegion region = register(CurrentIo.Mode.CONSUMER);
        RegionIo io = region.currentIo();
        assertTrue(io.requestQuiesce(() -> {}));
        assertTrue(io.clearValid());
        arena.close();
        assertFalse(io.takeInterest());
        assertTrue(io.isQuiescing());
        assertTrue(io.resumeQuietly());
        assertEquals(Verdict.GRANTED, write(region));
    }

    // --- refused

    private String refusal(MemorySegment segment) {
        CurrentIoOptions options = CurrentIoOptions.of(CurrentIo.Mode.CONSUMER).withWord(segment);
        int before = domain.entries();
        String message = String.valueOf(assertThrows(
                        IllegalArgumentException.class,
                        () -> table.register(domain, hypervisor.host().allocateWired(4096), 0, Tables.ALL, options))
                .getMessage());
        assertEquals(before, domain.entries());
        return message;
    }

    @Test
    void memoryThatCannotBeAWordIsRefused() {
        MemorySegment room = arena.allocate(64, 64);
        assertEquals(
                "a word of 16 bytes at 0x" + Long.toHexString(room.address())
                        + " found, 8 bytes at a multiple of 8 expected",
                refusal(room.asSlice(0, 16)));
        assertEquals(
                "a word of 8 bytes at 0x" + Long.toHexString(room.address() + 4)
                        + " found, 8 bytes at a multiple of 8 expected",
                refusal(room.asSlice(4, 8)));
        assertEquals("a word that is read-only found, one that can be changed expected", refusal(word.asReadOnly()));
        assertTrue(refusal(MemorySegment.ofArray(new long[1])).contains("on the heap"));
        try (Arena confined = Arena.ofConfined()) {
            assertTrue(refusal(confined.allocate(8, 8)).contains("confined"));
        }
        Arena ended = Arena.ofShared();
        MemorySegment gone = ended.allocate(8, 8);
        ended.close();
        assertTrue(refusal(gone).contains("closed"));
        word.set(ValueLayout.JAVA_LONG, 0, 5);
        assertEquals(
                "a word with the value 0x5 found, 0 expected: no operation is under way before the region is registered",
                refusal(word));
    }
}
