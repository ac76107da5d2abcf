package org.verbena.fuzz;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Syndrome;

/** Looks at all that leaves over a link: no secret may, and the sequence numbers in it tell an attacker where to aim. */
final class Witness extends ForwardingLink {
    private final long secret;
    private int watched = -1;
    private int requestPsn;
    private int expectedPsn;
    private boolean leaked;

    Witness(Link inner, long secret) {
        super(inner);
        this.secret = secret;
    }

    /** From now on follows what goes to this queue pair. */
    void watch(int queuePair, int firstRequestPsn, int firstExpectedPsn) {
        watched = queuePair;
        requestPsn = firstRequestPsn;
        expectedPsn = firstExpectedPsn;
    }

    /** The sequence number of the newest request that left. */
    int requestPsn() {
        return requestPsn;
    }

    /** The sequence number that the responder waits for, as far as its answers tell. */
    int expectedPsn() {
        return expectedPsn;
    }

    void expect(int psn) {
        expectedPsn = psn;
    }

    /** Whether eight bytes of the secret left. */
    boolean leaked() {
        return leaked;
    }

    @Override
    public void commit(Packet packet) {
        MemorySegment segment = packet.segment();
        for (long at = packet.offset(); at + 8 <= (long) packet.offset() + packet.length(); at++) {
            leaked |= segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at) == secret;
        }
        if (Bth.destinationQueuePair(segment, packet.offset()) == watched) {
            follow(packet);
        }
        inner.commit(packet);
    }

    private void follow(Packet packet) {
        int psn = Bth.psn(packet.segment(), packet.offset());
        Opcode opcode = Opcode.of(Bth.opcode(packet.segment(), packet.offset()));
        if (opcode == null || opcode.isRequest()) {
            requestPsn = psn;
        } else if (!opcode.carriesAeth()) {
            expectedPsn = Psn.next(psn);
        } else {
            int syndrome = Aeth.syndrome(packet.segment(), packet.offset() + (long) opcode.offsetOf(Extension.AETH));
            expectedPsn = Syndrome.isAck(syndrome) ? Psn.next(psn) : psn;
        }
    }
}
