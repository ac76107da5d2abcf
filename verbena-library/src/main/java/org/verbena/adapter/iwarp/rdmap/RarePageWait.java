package org.verbena.adapter.iwarp.rdmap;

import org.jspecify.annotations.Nullable;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.pair.PageWait;
import org.verbena.memory.faults.Fault;

/** A {@link PageWait} that is made when the first page is missing: an idle connection, or one whose memory stays, has none. */
final class RarePageWait {
    private final EngineParts parts;
    private final PageWait.Listener listener;
    private @Nullable PageWait made;

    RarePageWait(EngineParts parts, PageWait.Listener listener) {
        this.parts = parts;
        this.listener = listener;
    }

    /** As {@link PageWait#isWaiting}. */
    boolean isWaiting() {
        PageWait wait = made;
        return wait != null && wait.isWaiting();
    }

    /** As {@link PageWait#prepare}. */
    Fault prepare() {
        PageWait wait = made;
        if (wait == null) {
            wait = new PageWait(parts, listener);
            made = wait;
        }
        return wait.prepare();
    }

    /** As {@link PageWait#start}. */
    boolean start() {
        PageWait wait = made;
        assert wait != null : "nothing was prepared";
        return wait.start();
    }

    /** As {@link PageWait#release}. */
    void release() {
        PageWait wait = made;
        if (wait != null) {
            wait.release();
        }
    }
}
