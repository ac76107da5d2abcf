package org.verbena.manage.agent;

import org.jspecify.annotations.Nullable;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;

/**
 * The states of the two ends of a cable. A change at a switch sets its bit PortStateChange and sends trap 128, unless a Set of PortInfo at
 * that switch made the change. Training takes no time.
 */
public final class Cabling {
    private static final LinkWidth[] WIDTHS = LinkWidth.values();
    private static final LinkSpeed[] SPEEDS = LinkSpeed.values();

    private Cabling() {}

    /**
     * Connects two ports by a cable. If no end is disabled and both have a width and a speed in common, the link comes up in state Init.
     *
     * @throws IllegalArgumentException if one has a cable, is port 0, or if both are the same
     */
    public static void plug(ManagedPort one, ManagedPort other, long nowNs) {
        if (one == other || one.peer() != null || other.peer() != null || one.number() == 0 || other.number() == 0) {
            throw new IllegalArgumentException(
                    "ports " + one + " and " + other + " found, two external ports without a cable expected");
        }
        one.connect(other);
        other.connect(one);
        if (train(one, other)) {
            announce(one, nowNs);
            announce(other, nowNs);
        }
    }

    /** Pulls the cable out of both ports. Does nothing if the port has none. */
    public static void unplug(ManagedPort port, long nowNs) {
        ManagedPort peer = port.peer();
        if (peer == null) {
            return;
        }
        port.connect(null);
        peer.connect(null);
        lose(port, nowNs);
        lose(peer, nowNs);
    }

    /** Lets the link go down and come up again, as an error of the cable does. Does nothing if the link is down. */
    public static void flap(ManagedPort port, long nowNs) {
        ManagedPort peer = port.peer();
        if (peer != null && port.isUp()) {
            lose(port, nowNs);
            lose(peer, nowNs);
            train(port, peer);
        }
    }

    /**
     * A port in state Armed that has received a packet of data becomes Active, as its peer is. The bit PortStateChange stays as it is: it tells of links
     * that come up or go down.
     */
    public static void onData(ManagedPort port) {
        if (port.state == PortState.ARMED) {
            port.state = PortState.ACTIVE;
            tell(port);
        }
    }

    /** A Set has ordered state Down: both ends of a link that is up begin anew. */
    static void reinitialize(ManagedPort port, long nowNs) {
        ManagedPort peer = port.peer();
        if (peer == null || !port.isUp()) {
            return;
        }
        down(port, PhysicalState.of(port.linkDownDefault));
        down(peer, PhysicalState.of(peer.linkDownDefault));
        train(port, peer);
        announce(peer, nowNs);
    }

    /** A Set has ordered a physical state: sleep, polling or disabled. */
    static void order(ManagedPort port, PhysicalState physical, long nowNs) {
        ManagedPort peer = port.peer();
        boolean wasUp = port.isUp();
        down(port, physical);
        if (peer == null) {
            return;
        }
        if (wasUp) {
            lose(peer, nowNs);
        }
        if (physical == PhysicalState.POLLING && train(port, peer) && !wasUp) {
            announce(peer, nowNs);
        }
    }

    private static void lose(ManagedPort port, long nowNs) {
        if (port.isUp()) {
            port.counters().linkDowned++;
            down(port, PhysicalState.of(port.linkDownDefault));
            announce(port, nowNs);
        }
    }

    private static void down(ManagedPort port, PhysicalState physical) {
        port.state = PortState.DOWN;
        port.physicalState = physical;
        tell(port);
    }

    private static void up(ManagedPort port) {
        port.state = PortState.INIT;
        port.physicalState = PhysicalState.LINK_UP;
    }

    /** Brings a link up if nothing is against it. A port that polls wakes one that sleeps. */
    private static boolean train(ManagedPort one, ManagedPort other) {
        if (one.physicalState == PhysicalState.DISABLED
                || other.physicalState == PhysicalState.DISABLED
                || !agree(one, other)) {
            return false;
        }
        up(one);
        up(other);
        tell(one);
        tell(other);
        return true;
    }

    /** The widest width and the fastest speed that both ends have enabled. */
    private static boolean agree(ManagedPort one, ManagedPort other) {
        @Nullable LinkWidth width = null;
        for (LinkWidth candidate : WIDTHS) {
            if ((one.widthEnabled & other.widthEnabled & candidate.bit()) != 0) {
                width = candidate;
            }
        }
        @Nullable LinkSpeed speed = null;
        int speeds = one.speedEnabled & other.speedEnabled;
        for (LinkSpeed candidate : SPEEDS) {
            if (isCommon(candidate, one, other)) {
                speed = candidate;
            }
        }
        if (width == null || speed == null) {
            return false;
        }
        set(one, width, speed, Integer.highestOneBit(speeds));
        set(other, width, speed, Integer.highestOneBit(speeds));
        return true;
    }

    private static boolean isCommon(LinkSpeed speed, ManagedPort one, ManagedPort other) {
        if (speed == LinkSpeed.FDR10) {
            return one.fdr10Enabled && other.fdr10Enabled;
        }
        return (one.speedEnabled & other.speedEnabled & speed.bit()) != 0
                || (one.extendedEnabled & other.extendedEnabled & speed.extendedBit()) != 0;
    }

    private static void set(ManagedPort port, LinkWidth width, LinkSpeed speed, int speedActive) {
        port.width = width;
        port.speed = speed;
        port.speedActive = speedActive;
    }

    private static void tell(ManagedPort port) {
        port.node().hardware.onPortState(port);
    }

    private static void announce(ManagedPort port, long nowNs) {
        if (port.node().isSwitch()) {
            port.node().portStateChange = true;
            Notices.linkState(port.node(), nowNs);
        }
    }
}
