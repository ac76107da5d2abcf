package org.verbena.memory.swapping;

import java.util.BitSet;
import org.verbena.memory.paging.MachinePages;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;

/**
 * Takes pages of one memory out of machine memory, so that their frames are free.
 *
 * <p>Pages of the host are evicted by the host's pager. Of a guest with Verbena's pager, the guest's pager evicts them; that
 * discards the guest physical pages, whose frames the host's pager frees. A guest's own driver keeps its table as it is; the host's
 * pager evicts the guest physical pages to which the table maps.
 */
final class PageEviction {
    /** Gets the end. Must not block. */
    @FunctionalInterface
    interface Listener {
        /**
         * All pages that can leave machine memory have left it.
         *
         * @param failed pages that stay because the store did not take them
         */
        void onEnd(long freed, long pinned, long shared, long failed);
    }

    private final DomainPaging domain;
    private final Stage stage;
    private final Listener listener;

    /** @param listener called by any thread */
    PageEviction(DomainPaging domain, Stage stage, Listener listener) {
        this.domain = domain;
        this.stage = stage;
        this.listener = listener;
    }

    /**
     * Begins. Called without the lock of a memory.
     *
     * @param pages pages of the stage
     * @param needed pages of the stage that a valid region has: they stay
     */
    void start(BitSet pages, BitSet needed) {
        if (domain.driver() instanceof Pager pager) {
            evict(pager, stage, MachinePages.among(stage, pages), needed);
        } else {
            Stage physical = domain.physical().stage();
            BitSet frames = stage == physical ? (BitSet) pages.clone() : MachinePages.frames(stage, pages);
            evict(domain.host().pager(), physical, frames, domain.neededFrames());
        }
    }

    private void evict(Pager pager, Stage from, BitSet pages, BitSet needed) {
        BitSet shared = (BitSet) pages.clone();
        shared.and(needed);
        long stays = MachinePages.among(from, shared).cardinality();
        pages.andNot(needed);
        Stage below = from.below();
        BitSet frames = below == null ? new BitSet() : MachinePages.frames(from, pages);
        pager.evict(from, pages, (evicted, left, failed) -> {
            Runnable end = () -> listener.onEnd(evicted, left, stays, failed);
            if (below == null) {
                end.run();
            } else { // not inside the guest's monitor
                domain.host()
                        .errands()
                        .run(() -> domain.host().pager().evictDiscarded(below, frames, (_, _, _) -> end.run()));
            }
        });
    }
}
