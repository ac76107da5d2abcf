package org.verbena.simulation;

import java.util.ArrayDeque;
import org.verbena.Mtu;
import org.verbena.time.Seed;
import org.verbena.verbs.QueuePair;

/**
 * One direction of a connection: requests of one node to another. Its zones are its own, so what the model says of them
 * depends on no other lane; only the shared cells are everybody's.
 */
final class Lane {
    /** What a lane reaches, and something of the responder's that it may not. */
    record Zones(Zone source, Zone landing, Zone target, Zone cells, Zone sharedCells, Zone forbidden) {}

    private final int index;
    private final Node requester;
    private final QueuePair queuePair;
    private final Mtu mtu;
    private final Zones zones;
    private final ReceiveFeed feed;
    private final WindowCycle window;
    private final Seed seed;
    private final LandingRing landings;

    /** Posted and not known to be done, oldest first. */
    final ArrayDeque<Intent> outstanding = new ArrayDeque<>();

    /** The reads among them. */
    final ArrayDeque<Intent.Read> reads = new ArrayDeque<>();

    /** Messages that will take a receive and have not, oldest first. */
    final ArrayDeque<Intent.Message> awaited = new ArrayDeque<>();

    /** Bytes of all that is outstanding. */
    long outstandingBytes;

    /** Its connection has failed. */
    boolean failed;

    Appetite appetite = Appetite.NONE;
    private long nextId = 1;

    Lane(
            int index,
            Node requester,
            QueuePair queuePair,
            Mtu mtu,
            Zones zones,
            ReceiveFeed feed,
            WindowCycle window,
            Seed seed) {
        this.index = index;
        this.requester = requester;
        this.queuePair = queuePair;
        this.mtu = mtu;
        this.zones = zones;
        this.feed = feed;
        this.window = window;
        this.seed = seed;
        this.landings = new LandingRing(zones.landing().length());
    }

    Node requester() {
        return requester;
    }

    /** The requester's queue pair. */
    QueuePair queuePair() {
        return queuePair;
    }

    Mtu mtu() {
        return mtu;
    }

    Zone source() {
        return zones.source();
    }

    Zone landing() {
        return zones.landing();
    }

    Zone target() {
        return zones.target();
    }

    Zone cells() {
        return zones.cells();
    }

    Zone sharedCells() {
        return zones.sharedCells();
    }

    /** Memory of the responder's that no peer has a right to. */
    Zone forbidden() {
        return zones.forbidden();
    }

    /** Where its messages find receives. */
    ReceiveFeed feed() {
        return feed;
    }

    /** The window of the responder's that it may use. */
    WindowCycle window() {
        return window;
    }

    Seed seed() {
        return seed;
    }

    LandingRing landings() {
        return landings;
    }

    long nextId() {
        return nextId++;
    }

    boolean isIdle() {
        return outstanding.isEmpty() && awaited.isEmpty();
    }

    @Override
    public String toString() {
        return "lane " + index + " (node " + requester.index() + ", " + queuePair + ", MTU " + mtu.bytes() + ")";
    }
}
