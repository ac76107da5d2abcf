package org.verbena.memory;

/** The page sizes of translation tables, ascending. */
public enum PageSize {
    KIB_4(12),
    KIB_8(13),
    KIB_64(16),
    MIB_1(20),
    MIB_2(21),
    MIB_16(24),
    MIB_256(28);

    private static final PageSize[] ALL = values();

    private final int shift;

    PageSize(int shift) {
        this.shift = shift;
    }

    /** The page size as a power of two. */
    public int shift() {
        return shift;
    }

    /** The page size. */
    public long bytes() {
        return 1L << shift;
    }

    /** Distance of an address from the start of its page. */
    public long offsetOf(long address) {
        return address & (bytes() - 1);
    }

    /** Number of pages that a range touches; it may start and end anywhere in a page. The length is positive. */
    public long pages(long address, long length) {
        return ((offsetOf(address) + length - 1) >>> shift) + 1;
    }

    /** The page size with which a range touches the fewest pages; the smallest of several. */
    public static PageSize fewestPages(long address, long length) {
        PageSize best = KIB_4;
        for (PageSize size : ALL) {
            if (size.pages(address, length) < best.pages(address, length)) {
                best = size;
            }
        }
        return best;
    }
}
