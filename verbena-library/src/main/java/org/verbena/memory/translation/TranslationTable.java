package org.verbena.memory.translation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.PageSize;
import org.verbena.memory.paging.PageTable;

/**
 * Page pointers of one memory, in tables of at most {@value #FAN_OUT} entries: one table for few pages, a table of tables, or
 * a table of tables of tables. (The table over the words of pages that come and go has as many entries as are needed.) Offsets count from the first byte of the memory, which may lie anywhere in the first page; the
 * last page may end anywhere.
 *
 * <p>A pointer is a long: the machine address of a page that stays, or the {@link org.verbena.memory.paging.PageWord} of a
 * page that comes and goes. Several entries may share one table: they all see a pointer that is rewritten. Any thread.
 */
public final class TranslationTable {
    /** The number of tables between an entry and its page pointers. */
    public enum Order {
        /** The table has the pointers. */
        DIRECT,
        /** It has tables of pointers. Words of pages that come and go are always kept so, of however many pages. */
        FIRST,
        /** It has tables of tables of pointers. */
        SECOND
    }

    /** Entries of one table. */
    public static final int FAN_OUT = 512;

    private static final int FAN_SHIFT = 9;
    private static final int FAN_MASK = FAN_OUT - 1;
    private static final long FIRST_MAX = (long) FAN_OUT * FAN_OUT;
    private static final long SECOND_MAX = FIRST_MAX * FAN_OUT;
    private static final VarHandle POINTER = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long[][][] NO_SECOND = {};
    private static final long[][] NO_FIRST = {};

    private final PageSize pageSize;
    private final int shift;
    private final long mask;
    private final long firstOffset;
    private final long length;
    private final long pages;
    private final Order order;
    private final long[] direct;
    private final long[][] first;
    private final long[][][] second;
    private final @Nullable PageTable words;

    /**
     * Builds the table of a memory.
     *
     * @param placement where the memory starts within its first page, how long it is, and how it is cut
     * @param pointers the pointer of each page, by page number
     */
    public TranslationTable(Placement placement, LongUnaryOperator pointers) {
        pageSize = placement.pageSize();
        shift = pageSize.shift();
        mask = pageSize.bytes() - 1;
        firstOffset = placement.firstOffset();
        length = placement.length();
        pages = pageSize.pages(firstOffset, length);
        order = order(pages);
        second = order == Order.SECOND ? second(pages, pointers) : NO_SECOND;
        first = order == Order.FIRST ? first(0, pages, pointers) : NO_FIRST;
        direct = order == Order.DIRECT ? direct(0, pages, pointers) : new long[0];
        words = null;
    }

    /** Of pages that come and go: a pointer is the word of the page. */
    private TranslationTable(PageTable words, long length) {
        pageSize = PageSize.KIB_4;
        shift = pageSize.shift();
        mask = pageSize.bytes() - 1;
        firstOffset = 0;
        this.length = length;
        pages = words.pages();
        requireHeld(pages);
        order = Order.FIRST;
        second = NO_SECOND;
        first = NO_FIRST;
        direct = new long[0];
        this.words = words;
    }

    /** The table of pages that come and go; it is a view of their words. */
    public static TranslationTable ofPaged(PageTable words, long length) {
        return new TranslationTable(words, length);
    }

    /**
     * How a memory lies in its pages.
     *
     * @param pageSize size of a page
     * @param firstOffset where in the first page it starts
     * @param length bytes
     */
    public record Placement(PageSize pageSize, long firstOffset, long length) {
        public Placement {
            if (firstOffset < 0 || firstOffset >= pageSize.bytes() || length <= 0 || firstOffset + length < 0) {
                throw new IllegalArgumentException(
                        length + " bytes from offset " + firstOffset + " do not lie in pages of " + pageSize);
            }
        }

        /** Of contiguous memory at an address, in as few pages as possible. */
        static Placement ofContiguous(long address, long length) {
            PageSize size = PageSize.fewestPages(address, length);
            return new Placement(size, size.offsetOf(address), length);
        }
    }

    static TranslationTable ofContiguous(long address, long length) {
        Placement placement = Placement.ofContiguous(address, length);
        long firstPage = address - placement.firstOffset();
        return new TranslationTable(placement, page -> firstPage + (page << placement.pageSize.shift()));
    }

    /** Size of its pages. */
    public PageSize pageSize() {
        return pageSize;
    }

    /** Where in the first page the memory starts. */
    public long firstOffset() {
        return firstOffset;
    }

    /** Bytes of the memory. */
    public long length() {
        return length;
    }

    /** Number of pages, first and last included. */
    public long pages() {
        return pages;
    }

    /** How deep the tables are. */
    public Order order() {
        return order;
    }

    /** Bytes of the table, roughly. */
    long metadataBytes() {
        return words == null ? pages * Long.BYTES : words.bytes();
    }

    /** The machine address of the byte at an offset. The offset is in bounds: it was judged before. */
    public long machineAddress(long offset) {
        long position = firstOffset + offset;
        return pointer(position >>> shift) + (position & mask);
    }

    /** Bytes from an offset to the end of its page, of which the memory's last page may have fewer. */
    public long untilPageEnd(long offset) {
        return pageSize.bytes() - ((firstOffset + offset) & mask);
    }

    /** The pointer of a page. */
    public long pointer(long page) {
        if (words != null) {
            return words.word(page);
        }
        return (long) POINTER.getAcquire(leaf(page), (int) page & FAN_MASK);
    }

    /**
     * Moves a page, for all entries that share the table. The page's old place may be reused when no copy is inside.
     */
    public void rewrite(long page, long pointer) {
        POINTER.setRelease(leaf(page), (int) page & FAN_MASK, pointer);
    }

    private long[] leaf(long page) {
        return switch (order) {
            case DIRECT -> direct;
            case FIRST -> first[(int) (page >>> FAN_SHIFT)];
            case SECOND -> second[(int) (page >>> (2 * FAN_SHIFT))][(int) (page >>> FAN_SHIFT) & FAN_MASK];
        };
    }

    private static void requireHeld(long pages) {
        if (pages > SECOND_MAX) {
            throw new IllegalArgumentException(pages + " pages are more than a table holds, " + SECOND_MAX);
        }
    }

    private static Order order(long pages) {
        requireHeld(pages);
        return pages <= FAN_OUT ? Order.DIRECT : pages <= FIRST_MAX ? Order.FIRST : Order.SECOND;
    }

    private static long[][][] second(long pages, LongUnaryOperator pointers) {
        long[][][] tables = new long[tablesFor(pages, FIRST_MAX)][][];
        for (int i = 0; i < tables.length; i++) {
            long from = i * FIRST_MAX;
            tables[i] = first(from, Math.min(FIRST_MAX, pages - from), pointers);
        }
        return tables;
    }

    private static long[][] first(long from, long pages, LongUnaryOperator pointers) {
        long[][] tables = new long[tablesFor(pages, FAN_OUT)][];
        for (int i = 0; i < tables.length; i++) {
            long done = (long) i * FAN_OUT;
            tables[i] = direct(from + done, Math.min(FAN_OUT, pages - done), pointers);
        }
        return tables;
    }

    private static long[] direct(long from, long pages, LongUnaryOperator pointers) {
        long[] table = new long[(int) pages];
        for (int i = 0; i < table.length; i++) {
            table[i] = pointers.applyAsLong(from + i);
        }
        return table;
    }

    private static int tablesFor(long pages, long each) {
        return (int) ((pages + each - 1) / each);
    }

    @Override
    public String toString() {
        return order + " table of " + pages + " pages of " + pageSize;
    }
}
