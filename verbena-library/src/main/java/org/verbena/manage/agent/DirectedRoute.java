package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.subnet.Smp;

/**
 * The way of directed packets (specification 14.2.2, C14-9 … C14-13), with parts by local identifiers at either end of the route. A packet
 * {@link #start starts} at its sender, {@link #arrive arrives} at each node on its way, and {@link #answer turns} at its target. The methods read
 * and write hop pointer and return path and nothing else.
 *
 * <p>A verdict is the number of the port that the packet leaves by, 1 … 254; or {@link #DELIVER} or {@link #DISCARD}; or the packet goes on by
 * local identifier: see {@link #isByLid} and {@link #lid}.
 */
public final class DirectedRoute {
    /** The packet is for this node: for its agent, or for a program at the port. */
    public static final int DELIVER = -1;
    /** The packet is wrong or cannot go on. */
    public static final int DISCARD = -2;

    private static final int BY_LID = 1 << 16;
    private static final int LID_MASK = 0xffff;

    private DirectedRoute() {}

    /** Whether a packet goes on by local identifier, to {@link #lid}. */
    public static boolean isByLid(int verdict) {
        return verdict >= BY_LID;
    }

    /** The local identifier that a packet goes to; the sender's is that of the node, so that an answer finds back. */
    public static int lid(int verdict) {
        return verdict & LID_MASK;
    }

    /**
     * A program at a port sends a packet. Its hop pointer need not be set. From an end node it leaves by that port or not at all.
     *
     * @param from the program's port: of an end node, or port 0 of a switch
     * @param targetLid where it goes to first if its route begins with local identifiers
     */
    public static int start(MemorySegment smp, long at, ManagedPort from, int targetLid) {
        ManagedNode node = from.node();
        int hops = Smp.HOP_COUNT.read(smp, at);
        if (hops > Smp.HOPS_MAX) {
            return DISCARD;
        }
        int verdict;
        if (Smp.isReturning(smp, at)) {
            verdict = answer(smp, at, node, targetLid);
        } else {
            Smp.HOP_POINTER.write(smp, at, 0);
            verdict = Smp.SOURCE_LID.read(smp, at) == Smp.PERMISSIVE_LID
                    ? leaving(smp, at, node, hops)
                    : BY_LID | targetLid;
        }
        boolean byOtherPort = verdict > 0 && !isByLid(verdict) && !node.isSwitch() && verdict != from.number();
        return byOtherPort ? DISCARD : verdict;
    }

    /** A packet came in at a port, on a directed route or by local identifier. */
    public static int arrive(MemorySegment smp, long at, ManagedNode node, int arrivalPort) {
        int hops = Smp.HOP_COUNT.read(smp, at);
        int pointer = Smp.HOP_POINTER.read(smp, at);
        if (hops > Smp.HOPS_MAX || pointer > hops + 1) {
            return DISCARD;
        }
        if (Smp.isReturning(smp, at)) {
            return pointer == 0 ? DELIVER : returning(smp, at, node, hops);
        }
        if (pointer == hops + 1) {
            return DELIVER; // came by local identifier behind the directed part
        }
        if (pointer == 0) {
            // The directed part begins here, and local identifiers led here: otherwise the sender would have made the
            // first step.
            boolean beginsHere = Smp.SOURCE_LID.read(smp, at) != Smp.PERMISSIVE_LID && (node.isSwitch() || hops == 0);
            return beginsHere ? leaving(smp, at, node, hops) : DISCARD;
        }
        if (pointer < hops && !node.isSwitch()) {
            return DISCARD;
        }
        Smp.returnPort(smp, at, pointer, arrivalPort);
        return leaving(smp, at, node, hops);
    }

    /**
     * A packet that was delivered here has become the answer, and starts its way back.
     *
     * @param requestLid the local identifier that the request came from; {@link Smp#PERMISSIVE_LID} if it came on its directed route
     */
    public static int answer(MemorySegment smp, long at, ManagedNode node, int requestLid) {
        int hops = Smp.HOP_COUNT.read(smp, at);
        if (hops > Smp.HOPS_MAX) {
            return DISCARD;
        }
        Smp.HOP_POINTER.write(smp, at, hops + 1);
        boolean cameByLid = hops == 0 || Smp.TARGET_LID.read(smp, at) != Smp.PERMISSIVE_LID;
        if (cameByLid && requestLid != Smp.PERMISSIVE_LID) {
            return BY_LID | (requestLid & LID_MASK);
        }
        return returning(smp, at, node, hops);
    }

    /** On the way out, with the hop pointer at the hop that ended here. */
    private static int leaving(MemorySegment smp, long at, ManagedNode node, int hops) {
        int pointer = Smp.HOP_POINTER.read(smp, at);
        Smp.HOP_POINTER.write(smp, at, pointer + 1);
        if (pointer == hops) {
            return lastHop(node, Smp.TARGET_LID.read(smp, at));
        }
        return existing(node, Smp.initialPort(smp, at, pointer + 1));
    }

    /** On the way back, with the hop pointer one above the hop that is undone next. */
    private static int returning(MemorySegment smp, long at, ManagedNode node, int hops) {
        int pointer = Smp.HOP_POINTER.read(smp, at) - 1;
        Smp.HOP_POINTER.write(smp, at, pointer);
        if (pointer == 0) {
            return lastHop(node, Smp.SOURCE_LID.read(smp, at));
        }
        if (pointer < hops && !node.isSwitch()) {
            return DISCARD;
        }
        return existing(node, Smp.returnPort(smp, at, pointer));
    }

    /** The directed part ends here: the packet is for this node, or goes on to a local identifier. */
    private static int lastHop(ManagedNode node, int lid) {
        if (lid == Smp.PERMISSIVE_LID || isOwn(node, lid)) {
            return DELIVER;
        }
        return node.isSwitch() ? BY_LID | lid : DISCARD;
    }

    private static boolean isOwn(ManagedNode node, int lid) {
        if (node.isSwitch()) {
            return node.port(0).owns(lid);
        }
        for (int port = 1; port <= node.portCount(); port++) {
            if (node.port(port).owns(lid)) {
                return true;
            }
        }
        return false;
    }

    private static int existing(ManagedNode node, int port) {
        return port >= 1 && port <= node.portCount() ? port : DISCARD;
    }
}
