package org.verbena.adapter.ib.message;

import java.lang.foreign.MemorySegment;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Limits;
import org.verbena.adapter.pair.AccessRights;
import org.verbena.adapter.pair.PeerMessages;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.adapter.pair.RefusedAccess;
import org.verbena.link.Packet;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionEntry;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Ieth;
import org.verbena.wire.ib.ImmDt;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.PacketKind;
import org.verbena.wire.ib.Reth;

/**
 * Takes the packets of sends and writes, which come in order, into receives and memory. {@link #judge} has no effect but
 * that a posted receive may be taken in hand; {@link #place} copies the data; {@link #finish} tells the consumer of a
 * message that is whole.
 */
public final class MessageIntake {
    /** Number of a message in touches: one at a time is under way. */
    private static final long IN_ORDER = 0;

    private final ProtectionTable memory;
    private final AccessRights rights;
    private final ReceiveQueue receives;
    private final InboundMessage message = new InboundMessage();
    private final RefusedAccess refused = new RefusedAccess();
    /** The write under way. */
    private final PeerMessages writes;

    private int mtu;

    public MessageIntake(ProtectionTable memory, AccessRights rights, ReceiveQueue receives) {
        this.memory = memory;
        this.rights = rights;
        this.receives = receives;
        this.writes = new PeerMessages(memory, 1);
    }

    /** Notes an access that is refused, and returns the ruling on it. */
    public Ruling refuse(int key, long address, long length, Verdict verdict) {
        refused.note(key, address, length, verdict);
        return Ruling.ACCESS_REFUSED;
    }

    /** Notes the reason of a refusal after a wait for pages, and returns the ruling. */
    public Ruling refuse(Verdict verdict) {
        refused.note(verdict);
        return Ruling.ACCESS_REFUSED;
    }

    /** The peer's last access that was refused. */
    public RefusedAccess refused() {
        return refused;
    }

    /** Begins between two messages. */
    public void begin(int mtuBytes) {
        mtu = mtuBytes;
        abandon();
    }

    /** Forgets the present message; its receive stays in hand for the next. */
    public void abandon() {
        message.end();
        writes.end(0);
    }

    /** First and only between messages; middle and last within a message of their kind. */
    public boolean continues(Opcode opcode) {
        return opcode.startsMessage() ? message.kind() == null : message.kind() == opcode.kind();
    }

    /** Decides on a packet of a send or a write, in the specification's order of checks (9.7.4.1, 9.8.3.1). */
    public Ruling judge(Packet packet, Opcode opcode, int payload) {
        return opcode.kind() == PacketKind.SEND ? judgeSend(opcode, payload) : judgeWrite(packet, opcode, payload);
    }

    /** All packets but the last are full; the last of several is not empty. */
    private boolean fits(Opcode opcode, int payload) {
        return switch (opcode.position()) {
            case FIRST, MIDDLE -> payload == mtu;
            case LAST -> payload > 0 && payload <= mtu;
            case ONLY -> payload <= mtu;
        };
    }

    private Ruling judgeSend(Opcode opcode, int payload) {
        if (!fits(opcode, payload)) {
            return Ruling.INVALID;
        }
        if (!receives.take()) {
            return Ruling.NOT_READY;
        }
        long placed = opcode.startsMessage() ? 0 : message.placed();
        return placed + payload > receives.hand().segments().total() ? Ruling.TOO_LONG : Ruling.EXECUTE;
    }

    private Ruling judgeWrite(Packet packet, Opcode opcode, int payload) {
        if (!rights.allows(rights.remoteWrite()) || !fits(opcode, payload)) {
            return Ruling.INVALID;
        }
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        MemorySegment segment = packet.segment();
        long left = opcode.startsMessage() ? Integer.toUnsignedLong(Reth.length(segment, reth)) : message.remaining();
        if (left > Limits.MESSAGE_MAX || (opcode.endsMessage() ? payload != left : payload >= left)) {
            return Ruling.INVALID;
        }
        if (opcode.startsMessage()) {
            int key = Reth.key(segment, reth);
            long address = Reth.address(segment, reth);
            Verdict verdict = memory.judge(rights.remoteWrite(), key, address, left);
            if (!verdict.granted()) {
                return refuse(key, address, left, verdict);
            }
        }
        return opcode.carriesImmediate() && !receives.take() ? Ruling.NOT_READY : Ruling.EXECUTE;
    }

    /** Copies the data of a packet that {@link #judge} accepted. */
    public Ruling place(Packet packet, Opcode opcode, int payload) {
        return opcode.kind() == PacketKind.SEND
                ? placeSend(packet, opcode, payload)
                : placeWrite(packet, opcode, payload);
    }

    private Ruling placeSend(Packet packet, Opcode opcode, int payload) {
        if (opcode.startsMessage()) {
            message.beginSend();
        }
        Verdict verdict = receives.hand()
                .segments()
                .place(
                        memory,
                        rights.localWrite(),
                        message.placed(),
                        packet.segment(),
                        packet.offset() + opcode.headerLength(),
                        payload);
        if (verdict == Verdict.NOT_RESIDENT) {
            return faulted(opcode);
        }
        if (!verdict.granted()) {
            receives.fail(Status.LOCAL_PROTECTION_ERROR, verdict);
            return Ruling.RECEIVE_REFUSED;
        }
        message.onPlaced(payload);
        return Ruling.EXECUTE;
    }

    private Ruling placeWrite(Packet packet, Opcode opcode, int payload) {
        if (opcode.startsMessage()) {
            message.beginWrite(packet.segment(), packet.offset() + opcode.offsetOf(Extension.RETH));
            if (!opcode.endsMessage()) {
                writes.begin(0, message.key());
            }
        }
        Verdict verdict = touchAndPlace(packet, opcode, payload);
        if (verdict == Verdict.NOT_RESIDENT) {
            writes.begin(0, message.key()); // a message of one packet, too: the peer was not told to give it up
            return faulted(opcode);
        }
        if (!verdict.granted()) {
            return verdict == Verdict.PAGE_LOST
                    ? Ruling.PAGE_LOST
                    : refuse(message.key(), message.address(), message.remaining(), verdict);
        }
        message.onPlaced(payload);
        return Ruling.EXECUTE;
    }

    /** Packets come in order: the last of a message ends the validity of an entry that is for one message. */
    private Verdict touchAndPlace(Packet packet, Opcode opcode, int payload) {
        Accessor peer = rights.remoteWrite();
        int key = message.key();
        if (opcode.endsMessage()) {
            Verdict touched = memory.touch(peer, key, message.address(), payload, IN_ORDER);
            if (!touched.granted()) {
                return touched;
            }
        }
        Verdict verdict = memory.place(
                peer,
                key,
                message.address(),
                packet.segment(),
                packet.offset() + opcode.headerLength(),
                payload,
                message.remaining());
        if (verdict.granted() && opcode.endsMessage()) {
            memory.endTouch(peer, key, IN_ORDER);
        }
        return verdict;
    }

    /** The message stays as it was before the packet. */
    private Ruling faulted(Opcode opcode) {
        if (opcode.startsMessage()) {
            message.end();
        }
        return Ruling.PAGE_FAULT;
    }

    /** Adds to a fault the pages of a packet that met it, and those of the rest of its message. */
    public Verdict demand(Fault fault, Packet packet, Opcode opcode, int payload) {
        if (opcode.kind() == PacketKind.SEND) {
            long placed = opcode.startsMessage() ? 0 : message.placed();
            long left =
                    opcode.endsMessage() ? payload : receives.hand().segments().total() - placed;
            return receives.demand(fault, rights.localWrite(), placed, payload, left);
        }
        Accessor who = rights.remoteWrite();
        if (!opcode.startsMessage()) {
            return fault.add(
                    who, message.key(), message.address(), payload, message.remaining(), Fault.Intent.OVERWRITE);
        }
        MemorySegment segment = packet.segment();
        long reth = (long) packet.offset() + opcode.offsetOf(Extension.RETH);
        long length = Integer.toUnsignedLong(Reth.length(segment, reth));
        return fault.add(
                who, Reth.key(segment, reth), Reth.address(segment, reth), payload, length, Fault.Intent.OVERWRITE);
    }

    /** The packet is in place: if it was the last of its message, the message ends, and a receive with it. */
    public void finish(Packet packet, Opcode opcode) {
        if (!opcode.endsMessage()) {
            return;
        }
        boolean send = message.kind() == PacketKind.SEND;
        abandon();
        if (send || opcode.carriesImmediate()) {
            deliver(packet, opcode, send ? Operation.RECEIVE : Operation.RECEIVE_WRITE_WITH_IMMEDIATE);
        }
    }

    private void deliver(Packet packet, Opcode opcode, Operation operation) {
        CompletionEntry entry = receives.begin(operation, Status.SUCCESS)
                .byteLength(message.placed())
                .solicited(Bth.solicited(packet.segment(), packet.offset()));
        if (opcode.carriesImmediate()) {
            entry.immediate(ImmDt.value(packet.segment(), packet.offset() + opcode.offsetOf(Extension.IMMDT)));
        } else if (opcode.carriesInvalidate()) {
            entry.invalidated(Ieth.key(packet.segment(), packet.offset() + opcode.offsetOf(Extension.IETH)));
        }
        receives.finish();
    }
}
