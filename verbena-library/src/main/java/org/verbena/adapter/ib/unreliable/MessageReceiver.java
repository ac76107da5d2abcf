package org.verbena.adapter.ib.unreliable;

import org.verbena.EventKind;
import org.verbena.Mtu;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.ib.message.MessageIntake;
import org.verbena.adapter.ib.message.Ruling;
import org.verbena.adapter.pair.Pair;
import org.verbena.link.Packet;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;

/**
 * Takes the peer's messages (9.8.3): a first or only packet begins a message, with any number; a packet that does not follow
 * the one before, or can't be taken, ends it. The rest of a message that was ended is dropped without a completion, and its
 * receive serves the next message.
 */
final class MessageReceiver {
    private final UnreliableConnection connection;
    private final Counters counters;
    private final MessageIntake intake;
    private int expectedPsn;
    /** Between the first and the last packet of a message that is being taken. */
    private boolean inMessage;

    MessageReceiver(UnreliableConnection connection, EngineParts parts, Mtu mtu, int firstPsn) {
        this.connection = connection;
        this.counters = parts.counters();
        Pair pair = connection.pair();
        this.intake = new MessageIntake(parts.memory(), pair.rights(), pair.receives());
        this.expectedPsn = firstPsn;
        intake.begin(mtu.bytes());
    }

    /** The rest of the present message does not come. */
    void stop() {
        intake.abandon();
    }

    void receive(Packet packet, Opcode opcode) {
        int psn = Bth.psn(packet.segment(), packet.offset());
        boolean follows = psn == expectedPsn;
        expectedPsn = Psn.next(psn);
        if (!follows) {
            counters.add(Counter.OUT_OF_SEQUENCE_REQUESTS);
        }
        if (inMessage && (opcode.startsMessage() || !follows || !intake.continues(opcode))) {
            drop(Counter.DROPPED_INCOMPLETE_MESSAGES);
        }
        if (opcode.startsMessage() || inMessage) {
            take(packet, opcode);
        } else {
            counters.add(Counter.DROPPED_REST_OF_MESSAGE);
        }
    }

    private void take(Packet packet, Opcode opcode) {
        int payload = opcode.payloadLength(packet.length(), Bth.padCount(packet.segment(), packet.offset()));
        Ruling ruling = intake.judge(packet, opcode, payload);
        if (ruling == Ruling.EXECUTE) {
            ruling = intake.place(packet, opcode, payload);
        }
        switch (ruling) {
            case EXECUTE -> {
                inMessage = !opcode.endsMessage();
                connection.onPlaced();
                intake.finish(packet, opcode);
            }
            case NOT_READY -> drop(Counter.DROPPED_NO_RECEIVE);
            case TOO_LONG -> drop(Counter.DROPPED_TOO_LONG);
            case INVALID -> drop(Counter.DROPPED_INVALID_REQUEST);
            case ACCESS_REFUSED -> drop(Counter.REMOTE_ACCESS_ERRORS);
            case PAGE_FAULT -> {
                // The fault needs to know how far the message has come.
                connection.onDroppedForPages(fault -> intake.demand(fault, packet, opcode, payload));
                inMessage = false;
                intake.abandon();
            }
            case PAGE_LOST -> drop(Counter.DROPPED_PAGE_FAULT);
            case RECEIVE_REFUSED -> {
                inMessage = false;
                intake.abandon();
                connection.pair().fail(EventKind.QUEUE_PAIR_FATAL);
            }
        }
    }

    private void drop(Counter why) {
        counters.add(why);
        inMessage = false;
        intake.abandon();
    }
}
