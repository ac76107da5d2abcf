package org.verbena.replay;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.verbena.Right;
import org.verbena.Status;

/**
 * What a capture does not show of the one that is replaced, besides its consumer's memory and work, which follow from
 * the packets.
 *
 * @param grants memory the peer was told of, where it is not all that the peer asks for; empty: all is granted
 * @param windowKey key of a window of type 2 on part of the first grant; 0: none
 * @param receiveLength bytes of each receive
 * @param lost sequence numbers of packets that were sent and lost before they could be captured
 * @param last how the last work request ends
 * @param choices where we may differ from Linux
 */
record Scenario(
        String capture,
        Side side,
        List<Grant> grants,
        int windowKey,
        int receiveLength,
        Set<Integer> lost,
        Status last,
        Set<Choice> choices) {
    /** Memory of ours that the peer may use. */
    record Grant(int key, long address, long length, Set<Right> rights) {}

    private static final Set<Right> ALL = EnumSet.allOf(Right.class);

    Scenario(String capture, Side side) {
        this(capture, side, List.of(), 0, 1 << 14, Set.of(), Status.SUCCESS, EnumSet.noneOf(Choice.class));
    }

    Scenario granting(int key, long address, long length) {
        return granting(key, address, length, ALL);
    }

    Scenario granting(int key, long address, long length, Set<Right> rights) {
        var more = new ArrayList<>(grants);
        more.add(new Grant(key, address, length, rights));
        return new Scenario(capture, side, more, windowKey, receiveLength, lost, last, choices);
    }

    Scenario withWindow(int key) {
        return new Scenario(capture, side, grants, key, receiveLength, lost, last, choices);
    }

    Scenario receiving(int length) {
        return new Scenario(capture, side, grants, windowKey, length, lost, last, choices);
    }

    Scenario losing(Integer... psns) {
        return new Scenario(capture, side, grants, windowKey, receiveLength, Set.of(psns), last, choices);
    }

    Scenario endingIn(Status status) {
        return new Scenario(capture, side, grants, windowKey, receiveLength, lost, status, choices);
    }

    Scenario choosing(Choice choice) {
        var more = EnumSet.copyOf(choices);
        more.add(choice);
        return new Scenario(capture, side, grants, windowKey, receiveLength, lost, last, more);
    }

    @Override
    public String toString() {
        return capture + " as " + (side == Side.SERVER ? "server" : "client");
    }
}
