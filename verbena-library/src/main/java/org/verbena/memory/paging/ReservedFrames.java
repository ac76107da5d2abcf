package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Frames reserved for absent pages that an access will overwrite whole. The access takes the frame that is reserved for its page.
 * Any thread.
 */
final class ReservedFrames {
    private final ConcurrentHashMap<Long, List<Reservation>> reservations = new ConcurrentHashMap<>();

    /** One frame, reserved for one page. Ends once: the frame is taken or given back. */
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

        /** Gives the frame back, unless an access has taken it. */
        void giveBack() {
            if (end()) {
                giveBack.run();
            }
        }

        private boolean end() {
            reservations.computeIfPresent(name, (_, all) -> {
                List<Reservation> others =
                        all.stream().filter(other -> other != this).toList();
                return others.isEmpty() ? null : others;
            });
            return over.compareAndSet(false, true);
        }
    }

    /** Reserves a frame for the page of this name. The command runs if the frame is given back. */
    Reservation add(long name, int frame, Runnable giveBack) {
        Reservation reservation = new Reservation(name, frame, giveBack);
        reservations.merge(name, List.of(reservation), (before, more) -> {
            List<Reservation> all = new ArrayList<>(before);
            all.addAll(more);
            return all;
        });
        return reservation;
    }

    /** Takes a frame that is reserved for the page of this name; {@link Driver#NONE} if there is none. */
    int take(long name) {
        for (List<Reservation> all = reservations.get(name); all != null; all = reservations.get(name)) {
            Reservation first = all.getFirst();
            if (first.end()) {
                return first.frame;
            }
        }
        return Driver.NONE;
    }
}
