package org.verbena.fabric.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds deadlocks: lanes none of which can ever send, because each waits for room in a buffer that only fills what others of them would have to send.
 *
 * <p>A lane that has waited for some time starts a search. The search follows the packets in the full buffer at the other end of the cable to the
 * lanes that they wait for. A lane is alive if its first packet may leave, if the buffer at the other end is an end node's, or if one packet in that buffer
 * waits for a lane that is alive. Lanes that are not alive wait for ever; among them is a cycle.
 */
final class Deadlocks {
    private final Flow flow;
    private final Set<Lane> reported = new HashSet<>();
    private @Nullable DeadlockListener listener;
    private int found;

    Deadlocks(Flow flow) {
        this.flow = flow;
    }

    void listener(@Nullable DeadlockListener consumer) {
        listener = consumer;
    }

    /** Deadlocks found. */
    int found() {
        return found;
    }

    /** A lane has waited for credits for some time. */
    void onBlocked(Lane lane) {
        if (reported.contains(lane)) {
            return;
        }
        Map<Lane, Set<Lane>> waits = new HashMap<>();
        collect(lane, waits);
        // Removes lanes that are alive until none is left that is.
        boolean removed = true;
        while (removed) {
            removed = waits.entrySet()
                    .removeIf(entry ->
                            entry.getValue().isEmpty() || !waits.keySet().containsAll(entry.getValue()));
        }
        if (waits.containsKey(lane)) {
            report(cycleFrom(lane, waits));
        }
    }

    /** The lanes that a lane waits for, and those that they wait for; none for a lane that is alive. */
    private static void collect(Lane first, Map<Lane, Set<Lane>> waits) {
        List<Lane> open = new ArrayList<>(List.of(first));
        while (!open.isEmpty()) {
            Lane lane = open.removeLast();
            if (waits.containsKey(lane)) {
                continue;
            }
            Set<Lane> others = waitsFor(lane);
            waits.put(lane, others);
            open.addAll(others);
        }
    }

    /** The lanes at the next switch that hold the packets in the buffer which this lane waits for. Empty: this lane is alive. */
    private static Set<Lane> waitsFor(Lane lane) {
        PortFlow peer = lane.port.peer;
        if (!lane.port.isBlocked(lane.number) || peer == null || !peer.node.isSwitch) {
            return Set.of();
        }
        Lane buffer = peer.laneIfUsed(lane.number);
        Set<Lane> others = new LinkedHashSet<>();
        int blocks = 0;
        for (PortFlow out : peer.node.ports) {
            for (int number = 0; number < PortFlow.MANAGEMENT_LANE; number++) {
                Lane other = out.laneIfUsed(number);
                for (Parcel parcel = other == null ? null : other.head; parcel != null; parcel = parcel.next) {
                    if (parcel.port == peer && parcel.lane == lane.number) {
                        others.add(other);
                        blocks += parcel.original == null ? parcel.blocks : 0;
                    }
                }
            }
        }
        // A packet that is being sent, or has yet to be routed, will free its blocks.
        return buffer == null || blocks < buffer.used ? Set.of() : others;
    }

    private static List<Lane> cycleFrom(Lane lane, Map<Lane, Set<Lane>> waits) {
        LinkedHashSet<Lane> way = new LinkedHashSet<>();
        Lane at = lane;
        while (way.add(at)) {
            at = waits.getOrDefault(at, Set.of(at)).iterator().next();
        }
        List<Lane> cycle = new ArrayList<>(way);
        return cycle.subList(cycle.indexOf(at), cycle.size());
    }

    private void report(List<Lane> cycle) {
        if (!reported.addAll(cycle)) {
            return;
        }
        found++;
        DeadlockListener told = listener;
        if (told != null) {
            told.onDeadlock(
                    flow.nowNs(),
                    cycle.stream().map(lane -> lane.port.port).toList(),
                    cycle.stream().map(lane -> lane.number).toList());
        }
    }

    /** A lane sends again: a deadlock that it was part of is over. */
    void onUnblocked(Lane lane) {
        if (!reported.isEmpty()) {
            reported.remove(lane);
        }
    }
}
