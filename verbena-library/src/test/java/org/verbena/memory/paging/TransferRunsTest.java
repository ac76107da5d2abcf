package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.Transfer;

final class TransferRunsTest {
    private static List<List<Integer>> runs(List<Integer> sorted) {
        List<List<Integer>> runs = new ArrayList<>();
        TransferRuns.forEach(sorted, (page, before) -> page == before + 1, runs::add);
        return runs;
    }

    @Test
    void nothingIsNoRun() {
        assertEquals(List.of(), runs(List.of()));
    }

    @Test
    void neighboursAreOneRun() {
        assertEquals(List.of(List.of(3, 4, 5), List.of(7), List.of(9, 10)), runs(List.of(3, 4, 5, 7, 9, 10)));
    }

    @Test
    void aRunFitsIntoOneTransfer() {
        List<Integer> pages =
                IntStream.range(0, 2 * Transfer.PAGES_MAX + 1).boxed().toList();
        assertEquals(
                List.of(Transfer.PAGES_MAX, Transfer.PAGES_MAX, 1),
                runs(pages).stream().map(List::size).toList());
    }
}
