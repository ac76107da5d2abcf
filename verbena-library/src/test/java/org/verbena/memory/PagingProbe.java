package org.verbena.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.paging.Stage;

/** Looks into the tables of paged memory, for tests. */
public final class PagingProbe {
    private PagingProbe() {}

    private static Stage stage(ManagedMemory memory) {
        return ((PagedMemory) memory).stage();
    }

    /** Where a page is. */
    public static PageWord.State state(ManagedMemory memory, long page) {
        return PageWord.state(stage(memory).table().word(page));
    }

    public static boolean isDirty(ManagedMemory memory, long page) {
        return PageWord.isDirty(stage(memory).table().word(page));
    }

    /** What is kept of a memory or on account of it though nobody uses it, at any stage. */
    public static List<String> kept(ManagedMemory memory) {
        var found = new ArrayList<String>();
        for (@Nullable Stage at = stage(memory); at != null; at = at.below()) {
            for (long page = 0; page < at.table().pages(); page++) {
                if (PageWord.pins(at.table().word(page)) > 0) {
                    found.add((at.below() == null ? "last stage, page " : "stage one, page ") + page + ": " + PageWord.toString(at.table().word(page)));
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
        return hypervisor.pager().framesFree();
    }
}
