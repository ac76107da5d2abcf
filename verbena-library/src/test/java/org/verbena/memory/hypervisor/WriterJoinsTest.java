package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;
import org.verbena.time.Seed;

/** A fault that a guest's driver was asked for as a read, and that a writer joins. */
final class WriterJoinsTest {
    private static final int PAGE = GuestStand.PAGE;

    private final GuestStand stand = new GuestStand(4);
    /** What the driver was called for, in order. */
    private final List<String> told = new ArrayList<>();

    private final List<GuestFault> asked = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    /** Happens while the driver is being called, after it has looked at the fault. */
    private Runnable meanwhile = () -> {};

    private final Domain guest = stand.hypervisor.createGuest(
            GuestOptions.ofPhysical(GuestStand.PHYSICAL_MIN).withDriver(new Late(), stand.calls::add));
    private final ManagedMemory memory = guest.allocate(8 * PAGE);
    private final Region region = stand.register(memory);

    /** Answers when the test does. */
    private final class Late implements GuestDriver {
        @Override
        public void onFault(GuestFault fault) {
            told.add((fault.isWrite() ? "write " : "read ") + fault.page());
            asked.add(fault);
            meanwhile.run();
        }

        @Override
        public void onWrite(GuestFault fault) {
            assertTrue(fault.isWrite());
            told.add("becomes a write " + fault.page());
        }
    }

    @AfterEach
    void close() {
        faults.forEach(Fault::release);
        GuestStand.assertNoPins(memory);
        region.close();
        guest.close();
        stand.close();
    }

    private Fault begin(Right right, long page) {
        Fault fault = stand.fault(right, region, page * PAGE + 8, 16);
        faults.add(fault);
        assertFalse(fault.start());
        return fault;
    }

    private void runCalls() {
        while (stand.runCall()) {}
    }

    @Test
    void theDriverThatHasBegunIsToldAndBothGetThePage() {
        Fault reader = begin(Right.REMOTE_READ, 3);
        runCalls();
        assertFalse(asked.getFirst().isWrite());
        Fault writer = begin(Right.REMOTE_WRITE, 3);
        assertTrue(asked.getFirst().isWrite(), "at once, before the driver is called again");
        runCalls();
        assertEquals(List.of("read 3", "becomes a write 3"), told);
        asked.getFirst().map(5);
        stand.await(reader);
        stand.await(writer);
        assertEquals(Verdict.GRANTED, reader.outcome());
        assertEquals(Verdict.GRANTED, writer.outcome());
        runCalls();
        assertEquals(2, told.size());
    }

    @Test
    void aDriverThatIsJustBeingCalledIsToldToo() {
        begin(Right.REMOTE_READ, 3);
        meanwhile = () -> begin(Right.REMOTE_WRITE, 3);
        runCalls();
        assertEquals(List.of("read 3", "becomes a write 3"), told);
    }

    @Test
    void theDriverThatWasNotCalledYetSeesAWriteAtOnce() {
        begin(Right.REMOTE_READ, 3);
        begin(Right.REMOTE_WRITE, 3);
        runCalls();
        assertEquals(List.of("write 3"), told);
    }

    @Test
    void anAtomicIsAWriterToo() {
        begin(Right.REMOTE_READ, 3);
        runCalls();
        begin(Right.REMOTE_ATOMIC, 3);
        runCalls();
        assertEquals(List.of("read 3", "becomes a write 3"), told);
    }

    @Test
    void aReaderThatJoinsAWriteChangesNothing() {
        begin(Right.REMOTE_WRITE, 3);
        runCalls();
        begin(Right.REMOTE_READ, 3);
        begin(Right.REMOTE_WRITE, 3);
        runCalls();
        assertEquals(List.of("write 3"), told);
        assertTrue(asked.getFirst().isWrite());
    }

    @Test
    void theSecondWriterIsNoNews() {
        begin(Right.REMOTE_READ, 3);
        runCalls();
        begin(Right.REMOTE_WRITE, 3);
        begin(Right.REMOTE_WRITE, 3);
        runCalls();
        begin(Right.REMOTE_WRITE, 3);
        runCalls();
        assertEquals(List.of("read 3", "becomes a write 3"), told);
    }

    @Test
    void aFaultThatIsAnsweredIsNotToldAgain() {
        begin(Right.REMOTE_READ, 3);
        runCalls();
        begin(Right.REMOTE_WRITE, 3);
        asked.getFirst().map(5);
        runCalls();
        assertEquals(List.of("read 3"), told);
    }

    @Test
    void aPageThatWasOnlyAnnouncedBecomesAWriteWithItsAccess() {
        memory.advise(3 * PAGE, PAGE, Advice.WILL_NEED);
        runCalls();
        assertTrue(asked.getFirst().access().isEmpty());
        begin(Right.REMOTE_WRITE, 3);
        runCalls();
        assertEquals(List.of("read 3", "becomes a write 3"), told);
        assertEquals(3 * PAGE + 8, asked.getFirst().access().orElseThrow().address());
    }

    @Test
    void theRefusalOfAFaultThatBecameAWriteIsForBoth() {
        Fault reader = begin(Right.REMOTE_READ, 3);
        runCalls();
        Fault writer = begin(Right.REMOTE_WRITE, 3);
        asked.getFirst().refuse();
        assertEquals(Verdict.NO_SUCH_ADDRESS, reader.outcome());
        assertEquals(Verdict.NO_SUCH_ADDRESS, writer.outcome());
    }

    /**
     * Readers and writers of one page begin and give up, the driver is called and answers, all in any order. The fault is a write
     * from the moment on that a writer has joined it. The driver sees this when it is called first, or is told once after it.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void inEachOrderTheDriverKnowsOfTheWriter(int half) {
        for (int run = half; run < 1000; run += 2) {
            Seed seed = new Seed(run);
            interleave(seed, run);
            told.clear();
            asked.clear();
        }
    }

    private void interleave(Seed seed, int run) {
        long page = run % 8;
        boolean joined = false; // by a writer, since the driver was asked anew
        boolean open = false;
        int answered = 0;
        Queue<Fault> waiting = new ArrayDeque<>();
        for (int step = 0; step < 12; step++) {
            switch (seed.nextInt(5)) {
                case 0, 1 -> {
                    boolean writes = seed.nextInt(3) == 0;
                    Fault fault =
                            stand.fault(writes ? Right.REMOTE_WRITE : Right.REMOTE_READ, region, page * PAGE + 8, 16);
                    faults.add(fault);
                    if (!fault.start()) {
                        waiting.add(fault);
                        joined |= writes;
                        open = true;
                    }
                }
                case 2 -> stand.runCall();
                case 3 -> {
                    if (!waiting.isEmpty()) {
                        waiting.remove().release(); // gives up; the driver is not told that
                    }
                }
                default -> {
                    if (open && asked.size() > answered && seed.nextInt(2) == 0) {
                        asked.get(answered++).map(5);
                        waiting.forEach(stand::await);
                        waiting.clear();
                        runCalls();
                        faults.forEach(Fault::release);
                        faults.clear();
                        GuestTable.Unmapping gone = guest.table(memory).unmap(page);
                        assertFalse(gone == GuestTable.Unmapping.PINNED, "run " + run);
                        open = false;
                        joined = false;
                        told.clear();
                    }
                }
            }
            if (open && asked.size() > answered) {
                assertEquals(joined, asked.get(answered).isWrite(), "run " + run + ", step " + step + ": " + told);
            }
        }
        runCalls();
        if (open) {
            List<List<String>> right = joined
                    ? List.of(List.of("write " + page), List.of("read " + page, "becomes a write " + page))
                    : List.of(List.of("read " + page));
            assertTrue(right.contains(told), "run " + run + ": " + told);
            asked.get(answered).map(5);
            waiting.forEach(stand::await);
        }
        faults.forEach(Fault::release);
        faults.clear();
        guest.table(memory).unmap(page);
        runCalls();
    }
}
