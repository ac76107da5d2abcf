package org.verbena.simulation;

import java.util.List;

/** When nothing is under way, no fault is open, no page is pinned and every budget is full. */
final class PageChecker implements Checker {
    private final List<Node> nodes;

    PageChecker(List<Node> nodes) {
        this.nodes = nodes;
    }

    @Override
    public void onQuiet() {
        for (Node node : nodes) {
            int faults = node.adapter().faultsOpen();
            int landings = node.adapter().landingsHeld();
            if (faults + landings != 0) {
                throw new AssertionError(
                        "node " + node.index() + " has " + faults + " faults open, " + landings + " landings held");
            }
            Overcommit overcommit = node.overcommit();
            if (overcommit != null) {
                overcommit.requireNothingKept("node " + node.index());
            }
        }
    }
}
