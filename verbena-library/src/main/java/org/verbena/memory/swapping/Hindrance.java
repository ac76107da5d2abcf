package org.verbena.memory.swapping;

import org.jspecify.annotations.Nullable;
import org.verbena.memory.PageTimeoutException;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.TableDriver;
import org.verbena.trace.PagingCounter;

/** Finds the reason why a page of a stage did not come. Made when a wait begins, asked when the wait has failed. */
final class Hindrance {
    private final DomainPaging domain;
    private final Stage stage;
    private final long full;
    private final long failed;

    Hindrance(DomainPaging domain, Stage stage) {
        this.domain = domain;
        this.stage = stage;
        this.full = count(PagingCounter.STORE_FULL);
        this.failed = count(PagingCounter.STORE_WRITE_ERRORS);
    }

    private long count(PagingCounter what) {
        long host = domain.host().pager().counters().value(what);
        return domain.isHost() ? host : host + domain.counters().value(what);
    }

    /** The exception for a wait that has failed. */
    PageTimeoutException over(String what, long page) {
        return new PageTimeoutException(what + ": page " + page + " of memory of the " + domain
                + " has not come within " + domain.host().waitLimit().toMillis() + " ms; " + of(page));
    }

    private String of(long wanted) {
        long page = wanted;
        for (@Nullable Stage at = stage; at != null; at = at.below()) {
            long word = at.table().word(page);
            if (!PageWord.isResident(word)) {
                return at.driver() instanceof TableDriver ? ofTable(word) : ofPager();
            }
            page = PageWord.frame(word);
        }
        return "others have it pinned as often as a page can be";
    }

    private String ofTable(long word) {
        return PageWord.state(word) == PageWord.State.LOADING
                ? "the guest's driver has unmapped it and others still have it pinned where it was"
                : "the guest's own driver has not answered";
    }

    private String ofPager() {
        HostPaging host = domain.host();
        if (count(PagingCounter.STORE_FULL) > full) {
            return "the page store is full: " + host.store().name();
        }
        if (count(PagingCounter.STORE_WRITE_ERRORS) > failed) {
            return "the page store cannot write: " + host.store().name();
        }
        if (stage.driver() instanceof Pager pager && pager != host.pager() && pager.isStuck()) {
            return "all guest physical pages are pinned";
        }
        return host.pager().isStuck()
                ? "all frames of machine memory are pinned"
                : "the page store has not answered: " + host.store().name();
    }
}
