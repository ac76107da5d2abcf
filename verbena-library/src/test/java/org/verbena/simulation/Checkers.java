package org.verbena.simulation;

import java.util.List;
import org.verbena.verbs.Completion;

/** All checkers of a run as one. */
record Checkers(List<Checker> all) implements Checker {
    @Override
    public void onPosted(Intent intent) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).onPosted(intent);
        }
    }

    @Override
    public void onDone(Intent intent) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).onDone(intent);
        }
    }

    @Override
    public void onReceived(Lane lane, ReceiveFeed.Slot slot, Completion completion) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).onReceived(lane, slot, completion);
        }
    }

    @Override
    public void onFailed(Lane lane) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).onFailed(lane);
        }
    }

    @Override
    public void onQuiet() {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).onQuiet();
        }
    }
}
