package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.manage.NodeKind;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.Smp;

final class DirectedRouteTest {
    private static final int PORTS_TRIED = 9;
    private static final int STEPS_MAX = 200;

    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final MemorySegment smp = MemorySegment.ofArray(new byte[Mad.LENGTH]);

    /** Where a packet is: the node, the port that it came in by, and the source that its local route header names. */
    private record Place(ManagedPort port, int sourceLid) {}

    @BeforeEach
    void numberThePorts() {
        int lid = 1;
        for (ManagedNode node : net.nodes) {
            node.endPort(1).identify(lid++, 0);
        }
    }

    @Test
    void everyShortPathLeadsWhereItsCablesLeadAndBack() {
        int delivered = 0;
        for (List<Integer> path : paths(4)) {
            for (ManagedPort from : List.of(net.host(1).port(1), net.sw1.port(0))) {
                prepare(path, Smp.PERMISSIVE_LID, Smp.PERMISSIVE_LID);
                List<ManagedPort> entered = new ArrayList<>();
                ManagedPort expected = walk(from, path, entered);
                Place place = travel(from, Smp.PERMISSIVE_LID);
                assertSame(expected, place == null ? null : place.port, path::toString);
                if (place != null) {
                    delivered++;
                    for (int hop = 1; hop <= path.size(); hop++) {
                        assertEquals(entered.get(hop - 1).number(), Smp.returnPort(smp, 0, hop), path::toString);
                    }
                    assertReturnsTo(from, place, path);
                }
            }
        }
        assertTrue(delivered > 100, "delivered " + delivered);
    }

    @Test
    void aRouteMayBeginAndEndWithLocalIdentifiers() {
        int delivered = 0;
        ManagedPort from = net.host(2).port(1);
        List<ManagedPort> ends = new ArrayList<>(List.of(net.sw1.port(0), net.sw2.port(0)));
        net.nodes.stream().limit(6).forEach(host -> ends.add(host.port(1)));
        for (List<Integer> path : paths(3)) {
            for (ManagedPort first : ends) {
                for (ManagedPort last : ends) {
                    delivered += tryCombined(from, first, path, last.lid()) ? 1 : 0;
                }
                delivered += tryCombined(from, first, path, Smp.PERMISSIVE_LID) ? 1 : 0;
            }
            for (ManagedPort last : ends) {
                delivered += tryCombined(from, null, path, last.lid()) ? 1 : 0;
            }
        }
        assertTrue(delivered > 400, "delivered " + delivered);
    }

    private boolean tryCombined(ManagedPort from, @Nullable ManagedPort first, List<Integer> path, int targetLid) {
        prepare(path, first == null ? Smp.PERMISSIVE_LID : from.lid(), targetLid);
        ManagedPort start = first == null ? from : first;
        // A part that begins behind local identifiers begins at a switch; so does a part by local identifiers that ends
        // the route.
        ManagedPort end = first != null && !first.node().isSwitch() && !path.isEmpty()
                ? null
                : walk(start, path, new ArrayList<>());
        if (end != null && targetLid != Smp.PERMISSIVE_LID) {
            ManagedPort owner = net.owner(targetLid);
            end = end.node().isSwitch() || end == owner ? owner : null;
        }
        Place place = travel(from, first == null ? Smp.PERMISSIVE_LID : first.lid());
        String what = path + " from " + first + " to " + targetLid;
        assertSame(end == null ? null : end.node(), place == null ? null : place.port.node(), what);
        if (place != null) {
            assertReturnsTo(from, place, path);
        }
        return place != null;
    }

    @Test
    void packetsWithImpossiblePointersAreDiscarded() {
        prepare(List.of(1, 7), Smp.PERMISSIVE_LID, Smp.PERMISSIVE_LID);
        for (int pointer = 0; pointer < 256; pointer++) {
            Smp.HOP_POINTER.write(smp, 0, pointer);
            Smp.DIRECTION.write(smp, 0, 0);
            int verdict = DirectedRoute.arrive(smp, 0, net.sw1, 1);
            int expected = switch (pointer) {
                case 1 -> 7;
                case 2, 3 -> DirectedRoute.DELIVER;
                default -> DirectedRoute.DISCARD;
            };
            assertEquals(expected, verdict, "pointer " + pointer);
        }
    }

    @Test
    void moreHopsThanAPathHasAreDiscarded() {
        prepare(List.of(), Smp.PERMISSIVE_LID, Smp.PERMISSIVE_LID);
        for (int hops = Smp.HOPS_MAX + 1; hops < 256; hops++) {
            for (int direction = 0; direction < 2; direction++) {
                Smp.HOP_COUNT.write(smp, 0, hops);
                Smp.HOP_POINTER.write(smp, 0, hops);
                Smp.DIRECTION.write(smp, 0, direction);
                assertEquals(DirectedRoute.DISCARD, DirectedRoute.arrive(smp, 0, net.sw1, 1));
                assertEquals(DirectedRoute.DISCARD, DirectedRoute.start(smp, 0, net.sw1.port(0), Smp.PERMISSIVE_LID));
                assertEquals(DirectedRoute.DISCARD, DirectedRoute.answer(smp, 0, net.sw1, Smp.PERMISSIVE_LID));
            }
        }
    }

    @Test
    void aPathOf63HopsGoesForthAndBack() {
        List<Integer> path = new ArrayList<>(List.of(1));
        while (path.size() < Smp.HOPS_MAX) {
            path.add(7 + path.size() % 2);
        }
        prepare(path, Smp.PERMISSIVE_LID, Smp.PERMISSIVE_LID);
        Place place = travel(net.host(1).port(1), Smp.PERMISSIVE_LID);
        assertTrue(place != null && place.port.node() == net.sw1);
        assertReturnsTo(net.host(1).port(1), place, path);
    }

    @Test
    void aProgramAtAPortOfAnEndNodeSendsByThatPortOnly() {
        ManagedNode two = new ManagedNode(NodeKind.ADAPTER, "two", 0x9000, 2);
        for (int out = 0; out < 4; out++) {
            for (int from = 1; from <= 2; from++) {
                prepare(List.of(out, 7), Smp.PERMISSIVE_LID, Smp.PERMISSIVE_LID);
                int expected = out == from ? out : DirectedRoute.DISCARD;
                assertEquals(expected, DirectedRoute.start(smp, 0, two.port(from), Smp.PERMISSIVE_LID));
            }
        }
        prepare(List.of(7), Smp.PERMISSIVE_LID, Smp.PERMISSIVE_LID);
        assertEquals(7, DirectedRoute.start(smp, 0, net.sw1.port(0), Smp.PERMISSIVE_LID), "a switch sends by any");
    }

    @Test
    void anAnswerSaysThatItIsOnItsWayBack() {
        prepare(List.of(1), Smp.PERMISSIVE_LID, Smp.PERMISSIVE_LID);
        assertEquals(1, DirectedRoute.start(smp, 0, net.host(1).port(1), Smp.PERMISSIVE_LID));
        assertEquals(DirectedRoute.DELIVER, DirectedRoute.arrive(smp, 0, net.sw1, 1));
        assertEquals(2, Smp.HOP_POINTER.read(smp, 0));
        assertEquals(MadOutcome.ANSWERED, SubnetAgent.handle(net.sw1, 1, smp, 0));
        assertTrue(Smp.isReturning(smp, 0));
        assertEquals(1, DirectedRoute.answer(smp, 0, net.sw1, Smp.PERMISSIVE_LID));
        assertEquals(1, Smp.HOP_POINTER.read(smp, 0));
        assertEquals(DirectedRoute.DELIVER, DirectedRoute.arrive(smp, 0, net.host(1), 1));
        assertEquals(0, Smp.HOP_POINTER.read(smp, 0));
    }

    private void assertReturnsTo(ManagedPort from, Place place, List<Integer> path) {
        Smp.DIRECTION.write(smp, 0, 1);
        int verdict = DirectedRoute.answer(smp, 0, place.port.node(), place.sourceLid);
        Place back = follow(place.port, verdict);
        assertTrue(back != null && back.port.node() == from.node(), () -> path + " did not come back");
        assertEquals(0, Smp.HOP_POINTER.read(smp, 0), path::toString);
    }

    private @Nullable Place travel(ManagedPort from, int targetLid) {
        return follow(from, DirectedRoute.start(smp, 0, from, targetLid));
    }

    /** Moves the packet from node to node until a node takes it; null if it is lost. */
    private @Nullable Place follow(ManagedPort from, int first) {
        Place place = new Place(from, Smp.PERMISSIVE_LID);
        int verdict = first;
        for (int step = 0; step < STEPS_MAX; step++) {
            if (verdict == DirectedRoute.DELIVER) {
                return place;
            }
            ManagedPort next = null;
            int sourceLid = Smp.PERMISSIVE_LID;
            if (DirectedRoute.isByLid(verdict)) {
                next = net.owner(DirectedRoute.lid(verdict));
                sourceLid = place.port.node().endPort(place.port.number()).lid();
            } else if (verdict > 0) {
                next = place.port.node().port(verdict).peer();
            }
            if (next == null) {
                return null;
            }
            place = new Place(next, sourceLid);
            verdict = DirectedRoute.arrive(smp, 0, next.node(), next.number());
        }
        throw new AssertionError("no end of the way");
    }

    private void prepare(List<Integer> path, int sourceLid, int targetLid) {
        Smp.request(smp, 0, Smp.CLASS_DIRECTED, Smp.METHOD_GET, 1, NodeInfo.ATTRIBUTE, 0);
        Smp.HOP_COUNT.write(smp, 0, path.size());
        Smp.SOURCE_LID.write(smp, 0, sourceLid);
        Smp.TARGET_LID.write(smp, 0, targetLid);
        for (int hop = 1; hop <= path.size(); hop++) {
            Smp.initialPort(smp, 0, hop, path.get(hop - 1));
        }
    }

    /** Follows the cables; hosts forward nothing, but send. */
    private static @Nullable ManagedPort walk(ManagedPort from, List<Integer> path, List<ManagedPort> entered) {
        ManagedPort at = from;
        for (int hop = 0; hop < path.size(); hop++) {
            int out = path.get(hop);
            if ((hop > 0 && !at.node().isSwitch()) || out < 1 || out > at.node().portCount()) {
                return null;
            }
            at = at.node().port(out).peer();
            if (at == null) {
                return null;
            }
            entered.add(at);
        }
        return at;
    }

    private static List<List<Integer>> paths(int longest) {
        List<List<Integer>> all = new ArrayList<>();
        collect(new ArrayList<>(), longest, all::add);
        return all;
    }

    private static void collect(List<Integer> path, int more, Consumer<List<Integer>> to) {
        to.accept(List.copyOf(path));
        if (more > 0) {
            for (int port = 0; port <= PORTS_TRIED; port++) {
                path.add(port);
                collect(path, more - 1, to);
                path.removeLast();
            }
        }
    }
}
