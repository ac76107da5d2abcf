package org.verbena.memory.translation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.memory.PageSize;
import org.verbena.memory.paging.PageTable;

final class TranslationTableTest {
    /** Pages scattered so that neighbours are never neighbours in machine memory. */
    private static long scattered(PageSize size, long page) {
        return (page * 7919 + 13) << (size.shift() + 1);
    }

    private static TranslationTable scattered(PageSize size, long firstOffset, long length) {
        return new TranslationTable(
                new TranslationTable.Placement(size, firstOffset, length), page -> scattered(size, page));
    }

    @ParameterizedTest
    @EnumSource(PageSize.class)
    void everyOffsetOfInterestIsFoundInEveryPageSize(PageSize size) {
        long firstOffset = size.bytes() - 24;
        TranslationTable table = scattered(size, firstOffset, 24 + size.bytes() + 8);
        assertEquals(3, table.pages());
        assertEquals(scattered(size, 0) + firstOffset, table.machineAddress(0));
        assertEquals(scattered(size, 0) + size.bytes() - 1, table.machineAddress(23));
        assertEquals(scattered(size, 1), table.machineAddress(24));
        assertEquals(scattered(size, 1) + size.bytes() - 1, table.machineAddress(24 + size.bytes() - 1));
        assertEquals(scattered(size, 2), table.machineAddress(24 + size.bytes()));
        assertEquals(24, table.untilPageEnd(0));
        assertEquals(1, table.untilPageEnd(23));
        assertEquals(size.bytes(), table.untilPageEnd(24));
    }

    @ParameterizedTest
    @CsvSource({
        "1, DIRECT",
        "511, DIRECT",
        "512, DIRECT",
        "513, FIRST",
        "1024, FIRST",
        "1025, FIRST",
        "262144, FIRST",
        "262145, SECOND",
        "524289, SECOND",
        "600000, SECOND"
    })
    void theOrderFollowsFromTheNumberOfPagesAndEveryPageIsFound(long pages, TranslationTable.Order order) {
        PageSize size = PageSize.KIB_4;
        TranslationTable table = scattered(size, 0, pages * size.bytes());
        assertEquals(order, table.order());
        assertEquals(pages, table.pages());
        for (long page = 0; page < pages; page++) {
            assertEquals(scattered(size, page) + 5, table.machineAddress(page * size.bytes() + 5));
        }
    }

    /** A {@link PageTable} is a table of leaves, of however many pages. */
    @ParameterizedTest
    @ValueSource(longs = {1, 512, 513, 262_144, 262_145})
    void theOrderOfPagesThatComeAndGoIsThatOfTheirPageTable(long pages) {
        TranslationTable table = TranslationTable.ofPaged(new PageTable(pages), pages * 4096);
        assertEquals(TranslationTable.Order.FIRST, table.order());
        assertEquals(pages, table.pages());
    }

    @Test
    void theFirstOffsetCanCostOnePageMore() {
        PageSize size = PageSize.KIB_4;
        assertEquals(
                TranslationTable.Order.DIRECT,
                scattered(size, 0, 512 * size.bytes()).order());
        assertEquals(
                TranslationTable.Order.FIRST,
                scattered(size, 1, 512 * size.bytes()).order());
    }

    @Test
    void moreThanASecondOrderTableHoldsIsRefused() {
        long pages = 512L * 512 * 512;
        assertThrows(
                IllegalArgumentException.class, () -> scattered(PageSize.KIB_4, 1, pages * PageSize.KIB_4.bytes()));
    }

    @Test
    void aPlacementThatCannotBeIsRefused() {
        for (long[] bad :
                List.of(new long[] {-1, 1}, new long[] {4096, 1}, new long[] {0, 0}, new long[] {0, -1}, new long[] {
                    4095, Long.MAX_VALUE
                })) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new TranslationTable.Placement(PageSize.KIB_4, bad[0], bad[1]));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0x10000, 1, KIB_4, 1",
        "0x10fff, 1, KIB_4, 1",
        "0x10fff, 2, KIB_8, 1",
        "0x11fff, 2, KIB_64, 1",
        "0x1ffff, 2, MIB_1, 1",
        "0x100000, 0x100000, MIB_1, 1",
        "0x100000, 0x100001, MIB_16, 1",
        "0x200000, 0x200000, MIB_2, 1",
        "0x1000000, 0x1000000, MIB_16, 1",
        "0x0ffffff, 2, MIB_256, 1",
        "0x0fffffff, 2, KIB_4, 2",
        "0x7f0000001000, 0x200000000, MIB_256, 33"
    })
    void contiguousMemoryTakesTheSmallestPageSizeWithTheFewestPages(
            String address, String length, PageSize size, long pages) {
        TranslationTable table = TranslationTable.ofContiguous(Long.decode(address), Long.decode(length));
        assertEquals(size, table.pageSize());
        assertEquals(pages, table.pages());
        long last = Long.decode(length) - 1;
        assertEquals(Long.decode(address), table.machineAddress(0));
        assertEquals(Long.decode(address) + last, table.machineAddress(last));
    }

    @Test
    void aRewrittenPointerMovesOnePageAndNoOther() {
        for (long pages : new long[] {3, 1000, 300_000}) {
            TranslationTable table = scattered(PageSize.KIB_4, 0, pages * 4096);
            table.rewrite(pages - 2, 0x7000);
            assertEquals(0x7003, table.machineAddress((pages - 2) * 4096 + 3));
            assertEquals(scattered(PageSize.KIB_4, pages - 1), table.machineAddress((pages - 1) * 4096));
            assertEquals(scattered(PageSize.KIB_4, pages - 3), table.machineAddress((pages - 3) * 4096));
        }
    }
}
