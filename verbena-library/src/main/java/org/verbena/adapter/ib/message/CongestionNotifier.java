package org.verbena.adapter.ib.message;

import java.lang.foreign.ValueLayout;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.link.Packet;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;

/**
 * Tells the peer of a connection that its packets arrive marked by a congested network: a notification (RoCEv2, annex A17),
 * at most one in {@link Limits#CONGESTION_NOTIFICATION_NS}. One that finds no room on the link is left out: marks go on
 * as long as congestion does.
 */
public final class CongestionNotifier {
    private final Transmitter transmitter;
    private final Counters counters;
    private boolean notified;
    private long lastNs;

    public CongestionNotifier(Transmitter transmitter, Counters counters) {
        this.transmitter = transmitter;
        this.counters = counters;
    }

    /** A packet of the peer arrived marked. */
    public void onMarked(long nowNs, Peer peer) {
        if (notified && nowNs - lastNs < Limits.CONGESTION_NOTIFICATION_NS) {
            return;
        }
        Packet packet = transmitter.begin(peer, Opcode.CNP, 0, 0, false, false);
        if (packet == null) {
            return;
        }
        Bth.setBackwardMark(packet.segment(), packet.offset());
        long reserved = (long) packet.offset() + Opcode.CNP.offsetOf(Extension.CNP_RESERVED);
        for (int at = 0; at < Extension.CNP_RESERVED.length(); at += Long.BYTES) {
            packet.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, reserved + at, 0);
        }
        transmitter.end(packet);
        counters.add(Counter.SENT_CONGESTION_NOTIFICATIONS);
        notified = true;
        lastNs = nowNs;
    }
}
