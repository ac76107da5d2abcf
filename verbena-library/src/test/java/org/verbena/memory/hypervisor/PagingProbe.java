package org.verbena.memory.hypervisor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.swapping.Errands;
import org.verbena.memory.swapping.PagedMemory;

/** Looks into the tables of paged memory, for tests. */
public final class PagingProbe {
    /** Where a page is: as in its word. */
    public enum Where {
        ZERO,
        ABSENT,
        LOADING,
        PRESENT,
        CLEANING,
        POISONED,
        CLOSED
    }

    private PagingProbe() {}

    /** A hypervisor whose errands a test runs. */
    public static Hypervisor open(HypervisorOptions options, Errands errands) {
        return Hypervisor.open(options, errands);
    }

    private static Stage stage(ManagedMemory memory) {
        return ((PagedMemory) memory).stage();
    }

    /** Where a page is. */
    public static Where state(ManagedMemory memory, long page) {
        return Where.valueOf(PageWord.state(stage(memory).table().word(page)).name());
    }

    /** The pins and leases of a memory, at all stages, in words; none if it is not in use. */
    public static List<String> kept(ManagedMemory memory) {
        var found = new ArrayList<String>();
        for (@Nullable Stage at = stage(memory); at != null; at = at.below()) {
            for (long page = 0; page < at.table().pages(); page++) {
                if (PageWord.pins(at.table().word(page)) > 0) {
                    found.add((at.below() == null ? "last stage, page " : "stage one, page ") + page + ": "
                            + PageWord.toString(at.table().word(page)));
                }
            }
            Driver driver = at.driver();
            if (driver.transit().taken() + driver.landing().taken() > 0) {
                found.add("leases of " + driver.transit().taken() + " pages, landings of "
                        + driver.landing().taken());
            }
        }
        return found;
    }

    /** Frames of machine memory that have no page. */
    public static int framesFree(Hypervisor hypervisor) {
        return hypervisor.framesFree();
    }

    /** The driver of the host. */
    public static Pager pager(Hypervisor hypervisor) {
        return hypervisor.paging().pager();
    }
}
