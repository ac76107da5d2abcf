package org.verbena.fabric.flow;

import org.verbena.manage.agent.LinkErrors;
import org.verbena.wire.subnet.Notice;

/**
 * The errors of a link as one end sees them (specification 7.12.2): packets that come damaged, buffers that are overrun, flow control packets that stay away. If
 * they are too many, a trap is sent and the link is trained again. As an event it is that training, or the end of the time in which a flow control packet has to
 * come.
 */
final class LinkWatch extends Event {
    /** Time in which a flow control packet has to come: 400,000 symbols of the slowest lane. */
    static final long SILENCE_PS = 400_000L * 4_000;

    private static final int NONE = 0;

    private final PortFlow port;
    /** Damaged packets, good ones taken off. */
    private long damage;
    /** Packets received when the last damaged one came. */
    private long receivedThen;
    /** Periods of flow control in a row with an overrun, and the last of them. */
    private int overrunPeriods;

    private long overrunPeriod = -2;
    /** The trap whose training is due; {@link #NONE}: the event is the end of the time without flow control. */
    private int due = NONE;

    LinkWatch(PortFlow port) {
        this.port = port;
    }

    /**
     * A packet came damaged, or was lost on the cable. Each good packet takes one off the count.
     *
     * @param received whether the packet is among those that the port has counted as received
     */
    void onDamage(boolean received) {
        long now = port.port.counters().receivedPackets;
        long good = now - receivedThen - (received ? 1 : 0);
        receivedThen = now;
        damage = Math.max(0, damage - good) + 1;
        if (damage > port.port.damageThreshold()) {
            damage = 0;
            trainSoon(Notice.LINK_INTEGRITY);
        }
    }

    /** A packet did not fit into the buffer of its lane. */
    void onOverrun() {
        long period = port.flow.nowPs / Flow.REFRESH_PS;
        if (period == overrunPeriod) {
            return;
        }
        overrunPeriods = period == overrunPeriod + 1 ? overrunPeriods + 1 : 1;
        overrunPeriod = period;
        if (overrunPeriods >= port.port.overrunThreshold()) {
            overrunPeriods = 0;
            trainSoon(Notice.BUFFER_OVERRUN);
        }
    }

    /** A flow control packet was lost on the cable. */
    void onNoteLost() {
        if (!isDue()) {
            port.flow.events.add(this, port.flow.nowPs + SILENCE_PS);
        }
    }

    /** A flow control packet came. */
    void onNote() {
        if (due == NONE && isDue()) {
            port.flow.events.remove(this);
        }
    }

    /** The link is down. */
    void forget() {
        port.flow.events.remove(this);
        due = NONE;
        damage = 0;
        overrunPeriods = 0;
    }

    private void trainSoon(int trap) {
        due = trap;
        port.flow.events.remove(this);
        port.flow.events.add(this, port.flow.nowPs);
    }

    @Override
    void happen() {
        int trap = due;
        due = NONE;
        PortFlow peer = port.peer;
        if (peer == null || !port.wasUp) {
            return;
        }
        long nowNs = port.flow.nowNs();
        switch (trap) {
            case Notice.LINK_INTEGRITY -> LinkErrors.onDamage(port.port, nowNs);
            case Notice.BUFFER_OVERRUN -> LinkErrors.onOverruns(port.port, nowNs);
            default -> LinkErrors.onSilence(port.port, nowNs);
        }
        port.recover(peer);
    }
}
