package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Frames kept for pages that will be overwritten, each for one page: whoever overwrites that page may take it. Any thread. */
final class ReservedFrames {
    private final ConcurrentHashMap<Long, List<Reservation>> kept = new ConcurrentHashMap<>();

    /** One frame. Ends once: taken or given back. */
    final class Reservation {
        private final long name;
        private final int frame;
        private final Runnable giveBack;
        private final AtomicBoolean over = new AtomicBoolean();

        private Reservation(long name, int frame, Runnable giveBack) {
            this.name = name;
            this.frame = frame;
            this.giveBack = giveBack;
        }

        /** If nobody came to take it. */
        void giveBack() {
            if (end()) {
                giveBack.run();
            }
        }

        private boolean end() {
            kept.computeIfPresent(name, (_, rooms) -> {
                List<Reservation> others =
                        rooms.stream().filter(room -> room != this).toList();
                return others.isEmpty() ? null : others;
            });
            return over.compareAndSet(false, true);
        }
    }

    /** Keeps a frame for a page. */
    Reservation keep(long name, int frame, Runnable giveBack) {
        Reservation room = new Reservation(name, frame, giveBack);
        kept.merge(name, List.of(room), (before, more) -> {
            List<Reservation> all = new ArrayList<>(before);
            all.addAll(more);
            return all;
        });
        return room;
    }

    /** The frame kept for a page, now the caller's; {@link Driver#NONE} if there is none. */
    int take(long name) {
        for (List<Reservation> rooms = kept.get(name); rooms != null; rooms = kept.get(name)) {
            Reservation first = rooms.getFirst();
            if (first.end()) {
                return first.frame;
            }
        }
        return Driver.NONE;
    }
}
