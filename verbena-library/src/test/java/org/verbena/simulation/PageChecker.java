package org.verbena.simulation;

import java.util.List;

/** Whoever kept pages in place has let go of them when all is quiet: no fault is open, no page pinned, every budget full. */
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
