package org.verbena.memory.hypervisor;

import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.ManagedMemory;

/**
 * A memory in a race and what it must hold. Each page has a cell at either end; a cell carries memory, page and version, so that
 * a reader can tell the owner by the content.
 */
final class RaceMemory {
    static final int PAGE = 4096;
    static final int CELL = Long.BYTES;
    /** Any version of its own, or zeros. */
    private static final long UNKNOWN = -1;

    private static final int PAGE_SHIFT = 40;
    private static final int ID_SHIFT = 52;

    final int id;
    final ManagedMemory memory;
    final int pages;
    /** Whether it is of a guest with a driver of its own. */
    final boolean driven;

    final List<RaceRegion> regions = new ArrayList<>();
    private final long[] expected;
    /** The actor that is about to overwrite a page: until then the page may hold zeros. */
    private final int[] overwriters;
    /** Its owner is giving it up. */
    boolean closing;

    RaceMemory(int id, ManagedMemory memory, boolean driven) {
        this.id = id & 0x7ff;
        this.memory = memory;
        this.driven = driven;
        this.pages = (int) (memory.length() / PAGE);
        this.expected = new long[2 * pages];
        this.overwriters = new int[pages];
    }

    /** Whether a leased page stays accessible. A guest's own driver can unmap it, which no lease prevents. */
    boolean keepsLeases() {
        return !driven;
    }

    static long offset(int page, int cell) {
        return (long) page * PAGE + cell * (long) (PAGE - CELL);
    }

    long stamp(int page, long version) {
        return (long) id << ID_SHIFT | (long) page << PAGE_SHIFT | (version & ((1L << PAGE_SHIFT) - 1));
    }

    void written(int page, int cell, long stamp) {
        expected[2 * page + cell] = stamp;
    }

    long expected(int page, int cell) {
        return isExact(page, cell) ? expected[2 * page + cell] : UNKNOWN;
    }

    private boolean isExact(int page, int cell) {
        return overwriters[page] == 0 && expected[2 * page + cell] != UNKNOWN;
    }

    void check(int page, int cell, long found) {
        check(page, cell, found, expected(page, cell));
    }

    void check(int page, int cell, long found, long wanted) {
        boolean own = found == 0 || found >>> PAGE_SHIFT == stamp(page, 0) >>> PAGE_SHIFT;
        if (wanted == UNKNOWN ? !own : found != wanted) {
            throw new AssertionError("memory " + id + " page " + page + " cell " + cell + " reads "
                    + Long.toHexString(found) + ", expected "
                    + (wanted == UNKNOWN ? "any of its own" : Long.toHexString(wanted)) + "; " + state(page));
        }
    }

    private String state(int page) {
        return memory.residency().state(page).toString();
    }

    void beginOverwrite(int page) {
        overwriters[page]++;
    }

    /** @param lost whether what it held may be gone though nothing was written */
    void endOverwrite(int page, boolean lost) {
        overwriters[page]--;
        if (lost) {
            expected[2 * page] = UNKNOWN;
            expected[2 * page + 1] = UNKNOWN;
        }
    }
}
