package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** The mapping that an owner of tables writes, and the page-ins it is asked for. */
final class TablePageInsTest {
    private static final int PAGES = 64;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment machine = arena.allocate((long) PAGES * Stage.PAGE, Stage.PAGE);
    private final SimulatedPageStore disk = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
    private final Pager host = new Pager(disk, new NumberedFrames(PAGES), new ClockPolicy(PAGES), null, PAGES);
    private final Stage physical = host.open(PAGES, machine);
    private final List<TablePageIn> asked = new ArrayList<>();
    private final TableDriver driver = new TableDriver(physical, 8, asked::add);
    private final Stage stage = driver.open(PAGES, machine);
    private final Answers answers = new Answers();

    private static final class Answers implements PageRequest.Listener {
        private final List<String> given = new ArrayList<>();
        private boolean abandoned;

        @Override
        public void onPinned(Stage stage, long page) {
            given.add("pinned " + page);
        }

        @Override
        public void onRefused(Stage stage, long page, Refusal reason) {
            given.add(reason + " " + page);
        }

        @Override
        public boolean isAbandoned() {
            return abandoned;
        }
    }

    @AfterEach
    void close() {
        disk.close();
        arena.close();
    }

    private void request(long page, PageRequest.Listener listener) {
        driver.bringIn(new PageRequest(stage, page, Access.WRITE, listener));
        driver.attend();
    }

    @Test
    void theOwnerIsAskedOnceForAPageAndAllRequestsAreAnswered() {
        request(3, answers);
        request(3, answers);
        assertEquals(1, asked.size());
        assertTrue(asked.getFirst().changes());
        assertFalse(asked.getFirst().isAhead());
        driver.map(stage, 3, 9);
        assertEquals(List.of("pinned 3", "pinned 3"), answers.given);
        assertEquals(2, PageWord.pins(stage.table().word(3)));
        assertEquals(9, driver.frame(stage, 3));
    }

    @Test
    void aRefusalEndsAPageInOnce() {
        request(3, answers);
        driver.refuse(asked.getFirst(), Refusal.NO_SUCH_PAGE);
        driver.refuse(asked.getFirst(), Refusal.NO_SUCH_PAGE);
        assertEquals(List.of("NO_SUCH_PAGE 3"), answers.given);
        request(3, answers);
        assertEquals(2, asked.size(), "a later request asks again");
    }

    @Test
    void aPageIsAskedForAgainWhenItsLastPinIsGone() {
        driver.map(stage, 3, 9);
        request(3, answers);
        assertEquals(UnmapResult.PINNED, driver.unmap(stage, 3));
        request(3, answers);
        assertEquals(List.of(), asked, "the page is still pinned where it was");
        assertThrows(IllegalStateException.class, () -> driver.map(stage, 3, 9));
        stage.unpinHere(3);
        assertEquals(UnmapResult.CHANGED, driver.unmap(stage, 3));
        assertEquals(1, asked.size());
        driver.map(stage, 3, 10);
        assertEquals(List.of("pinned 3", "pinned 3"), answers.given);
        assertEquals(UnmapResult.NOT_MAPPED, driver.unmap(stage, 4));
    }

    @Test
    void abandonedRequestsMakeRoomForOthers() {
        Answers gone = new Answers();
        gone.abandoned = true;
        for (int i = 0; i < 2 * TablePageIn.REQUESTS_MAX; i++) {
            request(3, gone);
        }
        request(3, answers);
        assertEquals(List.of(), gone.given, "none was refused");
        driver.map(stage, 3, 9);
        assertEquals(List.of("pinned 3"), answers.given);
    }

    @Test
    void moreRequestsThanPinsAreRefused() {
        for (int i = 0; i < TablePageIn.REQUESTS_MAX; i++) {
            request(3, new Answers());
        }
        request(3, answers);
        assertEquals(List.of("NO_SUCH_PAGE 3"), answers.given);
    }

    @Test
    void aboutSixteenPagesAreAskedForAheadAtATime() {
        driver.announce(stage, 0, PAGES);
        assertEquals(16, asked.size());
        assertTrue(asked.stream().allMatch(TablePageIn::isAhead));
        driver.map(stage, asked.getFirst().page(), 0);
        assertEquals(17, asked.size(), "each answer makes room for one more");
    }

    @Test
    void theFrameOfAPageThatIsMappedAheadIsPrefetchedAtOnce() {
        assertTrue(physical.pin(9, Access.WRITE) >= 0);
        physical.unpin(9);
        host.attend();
        host.evict(physical, 9, 1, (_, _, _) -> {});
        disk.work(Long.MAX_VALUE - 1);
        assertFalse(physical.isResident(9));
        driver.announce(stage, 3, 1);
        assertEquals(0, host.transfers());
        driver.map(stage, 3, 9);
        assertEquals(1, host.transfers(), "the host is told without a further call");
    }

    @Test
    void closingAStageRefusesItsRequestsOnly() {
        Stage other = driver.open(PAGES, machine);
        request(3, answers);
        Answers others = new Answers();
        driver.bringIn(new PageRequest(other, 3, Access.READ, others));
        driver.attend();
        driver.close(stage);
        assertEquals(List.of("CLOSED 3"), answers.given);
        assertEquals(List.of(), others.given);
        assertThrows(IllegalStateException.class, () -> driver.map(stage, 3, 9));
        driver.map(other, 3, 9);
        assertEquals(List.of("pinned 3"), others.given);
    }
}
