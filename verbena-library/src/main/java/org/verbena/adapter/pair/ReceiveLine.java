package org.verbena.adapter.pair;

import org.jspecify.annotations.Nullable;

/**
 * The queue pairs whose peers wait for a receive of one shared queue, in the order in which they came. Each receive that is posted
 * calls one of them; a queue pair that is called invites its peer. A queue pair has one place, made once, so the line is never longer
 * than the number of queue pairs, and waiting allocates nothing. The engine's thread calls everything.
 */
public final class ReceiveLine {
    /** The place of one queue pair. */
    public static final class Place {
        private enum State {
            OUTSIDE,
            WAITING,
            /** It was called, and its peer has not come yet: one receive is meant for it. */
            CALLED
        }

        private final Runnable onCalled;
        private State state = State.OUTSIDE;
        private @Nullable Place before;
        private @Nullable Place behind;

        /** {@code onCalled} runs when a receive is there for it. */
        public Place(Runnable onCalled) {
            this.onCalled = onCalled;
        }
    }

    private final ReceiveSource source;
    private @Nullable Place first;
    private @Nullable Place last;
    private int called;

    ReceiveLine(ReceiveSource source) {
        this.source = source;
    }

    /**
     * The peer of this place found no receive. A place that was called is the first again: a message of another queue pair took the
     * receive that was meant for it.
     */
    public void join(Place place) {
        switch (place.state) {
            case OUTSIDE -> insert(place, last, null);
            case CALLED -> {
                called--;
                insert(place, null, first);
            }
            case WAITING -> {}
        }
        serve();
    }

    private void insert(Place place, @Nullable Place before, @Nullable Place behind) {
        place.state = Place.State.WAITING;
        place.before = before;
        place.behind = behind;
        link(before, place);
        link(place, behind);
    }

    /** Makes two places neighbours; null stands for the ends of the line. */
    private void link(@Nullable Place before, @Nullable Place behind) {
        if (before == null) {
            first = behind;
        } else {
            before.behind = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.before = before;
        }
    }

    private void remove(Place place) {
        link(place.before, place.behind);
        place.before = null;
        place.behind = null;
    }

    /** The peer of this place waits no more: its message has its receive, or its queue pair has ended. */
    public void leave(Place place) {
        switch (place.state) {
            case OUTSIDE -> {}
            case WAITING -> {
                remove(place);
                place.state = Place.State.OUTSIDE;
            }
            case CALLED -> {
                called--;
                place.state = Place.State.OUTSIDE;
                serve();
            }
        }
    }

    /** Receives were posted, or came free: calls as many queue pairs as there are receives that are meant for none. */
    public void serve() {
        while (first != null) {
            for (int free = source.available() - called; free > 0 && first != null; free--) {
                call(first);
            }
            if (first == null) {
                return;
            }
            source.ring().wanted(); // the next post has the line served
            if (source.available() <= called) {
                return;
            }
        }
    }

    private void call(Place place) {
        remove(place);
        place.state = Place.State.CALLED;
        called++;
        place.onCalled.run();
    }
}
