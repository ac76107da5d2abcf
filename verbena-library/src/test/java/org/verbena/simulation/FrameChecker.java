package org.verbena.simulation;

import java.util.List;

/** Everything a run took from its machines is given back: frames, and entries of the protection tables. */
final class FrameChecker {
    private final List<Node> nodes;

    FrameChecker(List<Node> nodes) {
        this.nodes = nodes;
    }

    /** All zones have been closed. */
    void onClosed() {
        for (Node node : nodes) {
            if (node.framesUsed() != 0) {
                throw new AssertionError("node " + node.index() + " lost " + node.framesUsed() + " frames");
            }
            if (node.domain().entries() != 0) {
                throw new AssertionError("node " + node.index() + " left "
                        + node.domain().entries() + " regions or windows in its domain");
            }
        }
    }
}
