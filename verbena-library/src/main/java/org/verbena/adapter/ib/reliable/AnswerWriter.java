package org.verbena.adapter.ib.reliable;

import org.jspecify.annotations.Nullable;
import org.verbena.adapter.ib.Transmitter;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.link.Packet;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.CreditCode;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Syndrome;

/** Begins and ends the packets of answers, and writes their AETH, with the credits that the peer has. */
final class AnswerWriter {
    private final ReliableConnection connection;
    private final Transmitter transmitter;
    private final ReceiveSource receives;
    private boolean tellsCredits;
    /** The peer was told last that it has no credit. */
    private boolean creditless;

    AnswerWriter(ReliableConnection connection, Transmitter transmitter, ReceiveSource receives) {
        this.connection = connection;
        this.transmitter = transmitter;
        this.receives = receives;
    }

    /** A connection begins; receives of a shared queue are no credits. */
    void begin(boolean endToEndCredits) {
        tellsCredits = endToEndCredits && !receives.shared();
        creditless = false;
    }

    /** Begins a packet; null when the link has no room now. */
    @Nullable
    Packet begin(Opcode opcode, int payload, int psn) {
        return transmitter.begin(connection.peer(), opcode, payload, psn, false, false);
    }

    void end(Packet packet) {
        transmitter.end(packet);
    }

    void abandon(Packet packet) {
        transmitter.abandon(packet);
    }

    /** Writes an AETH that acknowledges. */
    void writeAck(Packet packet, Opcode opcode, int msn) {
        write(packet, opcode, Syndrome.ack(credits()), msn);
    }

    void write(Packet packet, Opcode opcode, int syndrome, int msn) {
        Aeth.write(packet.segment(), packet.offset() + opcode.offsetOf(Extension.AETH), syndrome, msn);
    }

    /** Whether the peer was told that it has no credit, and has one now. */
    boolean owesCredits() {
        return creditless && receives.available() > 0;
    }

    private int credits() {
        if (!tellsCredits) {
            return CreditCode.NONE;
        }
        int available = receives.available();
        creditless = available == 0;
        if (creditless) {
            receives.ring().wanted();
        }
        return CreditCode.atMost(available);
    }
}
