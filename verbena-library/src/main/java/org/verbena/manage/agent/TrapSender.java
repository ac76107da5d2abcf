package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.subnet.Notice;

/**
 * Sends the traps of nodes and repeats each until the subnet manager represses it. One sender serves all nodes of a fabric; the thread that
 * drives the fabric calls it. A port has at most one trap of each number under way, a switch one of each number and link for errors of links: a newer one
 * takes the place of the older and is sent at once, or {@link #INTERVAL_MIN_NS} after it.
 */
public final class TrapSender {
    /** A trap that is never repressed is sent this often. */
    public static final int SENDS_MAX = 32;
    /** Longest time between two sends, whatever the subnet's timeout is. */
    public static final long INTERVAL_MAX_NS = 10_000_000_000L;
    /** Shortest time between two sends. */
    public static final long INTERVAL_MIN_NS = 1_000_000L;

    private static final class Pending {
        final ManagedPort from;
        final long order;
        byte[] notice;
        long dueNs;
        long sentNs;
        int sends;
        boolean isOver;

        Pending(ManagedPort from, byte[] notice, long order) {
            this.from = from;
            this.notice = notice;
            this.order = order;
        }
    }

    private final Map<ManagedPort, Map<Integer, Pending>> byPort = new HashMap<>();
    private final PriorityQueue<Pending> byTime = new PriorityQueue<>((one, other) ->
            one.dueNs != other.dueNs ? Long.compare(one.dueNs, other.dueNs) : Long.compare(one.order, other.order));
    private long orders;

    /** A sender without traps. */
    public TrapSender() {}

    /**
     * Sends a trap at once, or changes the one of that number that is under way.
     *
     * @param notice 64 bytes in wire format; kept
     */
    public void send(ManagedPort from, byte[] notice, long nowNs) {
        Map<Integer, Pending> own = byPort.computeIfAbsent(from, _ -> new LinkedHashMap<>());
        int event = eventOf(MemorySegment.ofArray(notice), 0);
        Pending known = own.get(event);
        if (known != null) {
            known.notice = notice;
            known.sends = 0;
            // The one before may be lost, with the cable that this one is about.
            byTime.remove(known);
            if (nowNs - known.sentNs >= INTERVAL_MIN_NS) {
                transmit(known, nowNs);
            } else {
                known.dueNs = known.sentNs + INTERVAL_MIN_NS;
                byTime.add(known);
            }
            return;
        }
        Pending pending = new Pending(from, notice, orders++);
        own.put(event, pending);
        transmit(pending, nowNs);
    }

    /** Time of the next repetition; {@link Long#MAX_VALUE} if no trap is under way. */
    public long nextDeadlineNs() {
        Pending first = firstAlive();
        return first == null ? Long.MAX_VALUE : first.dueNs;
    }

    /** Repeats what is due. */
    public void poll(long nowNs) {
        for (Pending first = firstAlive(); first != null && first.dueNs <= nowNs; first = firstAlive()) {
            byTime.remove();
            if (first.sends >= SENDS_MAX) {
                end(first);
            } else {
                transmit(first, nowNs);
            }
        }
    }

    /** Traps that are under way. */
    public int pending() {
        return byPort.values().stream().mapToInt(Map::size).sum();
    }

    /** Whether a trap about the same event is on its way from a port. */
    boolean isUnderWay(ManagedPort end, MemorySegment notice) {
        Map<Integer, Pending> own = byPort.get(end);
        return own != null && own.containsKey(eventOf(notice, 0));
    }

    /** The trap's number, and the link if the trap is about one. */
    private static int eventOf(MemorySegment segment, long at) {
        int trap = Notice.TRAP_NUMBER.read(segment, at);
        boolean ofLink = trap >= Notice.LINK_INTEGRITY && trap <= Notice.FLOW_CONTROL;
        return trap << 8 | (ofLink ? Notice.PORT.read(segment, at) : 0);
    }

    /** The subnet manager has seen a notice. */
    void repress(ManagedPort end, MemorySegment segment, long at) {
        Map<Integer, Pending> own = byPort.get(end);
        Pending pending = own == null ? null : own.get(eventOf(segment, at));
        if (pending != null && isSame(pending.notice, segment, at)) {
            end.noticeToggle ^= 1;
            end(pending);
        }
    }

    /** Writes the oldest notice of a port and how many there are; false if there is none. */
    boolean oldest(ManagedPort end, MemorySegment segment, long at) {
        Map<Integer, Pending> own = byPort.get(end);
        if (own == null || own.isEmpty()) {
            return false;
        }
        byte[] notice = own.values().iterator().next().notice;
        MemorySegment.copy(notice, 0, segment, ValueLayout.JAVA_BYTE, at, Notice.LENGTH);
        Notice.COUNT.write(segment, at, own.size());
        Notice.TOGGLE.write(segment, at, end.noticeToggle);
        return true;
    }

    /** Toggle and count may differ: they are the queue's. */
    private static boolean isSame(byte[] notice, MemorySegment segment, long at) {
        MemorySegment own = MemorySegment.ofArray(notice);
        return MemorySegment.mismatch(own, 0, Notice.DETAILS - 2, segment, at, at + Notice.DETAILS - 2) < 0
                && MemorySegment.mismatch(
                                own, Notice.DETAILS, Notice.LENGTH, segment, at + Notice.DETAILS, at + Notice.LENGTH)
                        < 0;
    }

    private void transmit(Pending pending, long nowNs) {
        pending.sends++;
        pending.sentNs = nowNs;
        pending.dueNs = nowNs + intervalNs(pending.from);
        byTime.add(pending);
        pending.from.node().hardware.onTrap(pending.from, pending.notice.clone());
    }

    private static long intervalNs(ManagedPort from) {
        return Math.clamp(ManagedPort.TIME_UNIT_NS << from.subnetTimeout, INTERVAL_MIN_NS, INTERVAL_MAX_NS);
    }

    private void end(Pending pending) {
        pending.isOver = true;
        Map<Integer, Pending> own = byPort.get(pending.from);
        if (own != null) {
            own.values().remove(pending);
            if (own.isEmpty()) {
                byPort.remove(pending.from);
            }
        }
    }

    private @Nullable Pending firstAlive() {
        while (!byTime.isEmpty() && byTime.element().isOver) {
            byTime.remove();
        }
        return byTime.peek();
    }
}
