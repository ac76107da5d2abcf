package org.verbena.memory;

/** Sizes a page of a translation table may have, ascending. */
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

    /** How far into its page an address is. */
    public long offsetOf(long address) {
        return address & (bytes() - 1);
    }

    /** Pages that a range touches; its first page may start and its last page end anywhere. The length is positive. */
    public long pages(long address, long length) {
        return ((offsetOf(address) + length - 1) >>> shift) + 1;
    }

    /** The size that cuts a range into the fewest pages; of several, the smallest. */
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
