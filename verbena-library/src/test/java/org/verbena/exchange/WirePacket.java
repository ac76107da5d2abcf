package org.verbena.exchange;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.RnrTimer;
import org.verbena.wire.ib.Aeth;
import org.verbena.wire.ib.AtomicAckEth;
import org.verbena.wire.ib.AtomicEth;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.CreditCode;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Ieth;
import org.verbena.wire.ib.ImmDt;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.Syndrome;

/**
 * A packet of a reliable connection as a value: what a test sends, and what it expects. Two are equal if they are so in
 * every field; headers an opcode does not have are null.
 *
 * @param psn counted from the first of its direction
 * @param value immediate data or key to invalidate
 */
public record WirePacket(
        Opcode opcode,
        int psn,
        boolean ackRequest,
        boolean solicited,
        @Nullable Reth reth,
        @Nullable AtomicEth atomic,
        @Nullable Aeth aeth,
        @Nullable AtomicAckEth atomicAck,
        @Nullable Integer value,
        ByteBuffer payload) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    // --- requests

    public static WirePacket of(Opcode opcode, int psn) {
        return new WirePacket(opcode, psn, false, false, null, null, null, null, null, NOTHING);
    }

    public static WirePacket send(Opcode opcode, int psn, byte[] payload) {
        return of(opcode, psn).with(payload);
    }

    public static WirePacket sendOnly(int psn, byte[] payload) {
        return send(Opcode.RC_SEND_ONLY, psn, payload);
    }

    public static WirePacket writeOnly(int psn, Reth reth, byte[] payload) {
        return of(Opcode.RC_RDMA_WRITE_ONLY, psn).to(reth).with(payload);
    }

    public static WirePacket writeFirst(int psn, Reth reth, byte[] payload) {
        return of(Opcode.RC_RDMA_WRITE_FIRST, psn).to(reth).with(payload);
    }

    public static WirePacket readRequest(int psn, Reth reth) {
        return of(Opcode.RC_RDMA_READ_REQUEST, psn).to(reth);
    }

    public static WirePacket fetchAdd(int psn, long address, int key, long addend) {
        return atomic(Opcode.RC_FETCH_ADD, psn, new AtomicEth(address, key, addend, 0));
    }

    public static WirePacket compareSwap(int psn, long address, int key, long expected, long replacement) {
        return atomic(Opcode.RC_COMPARE_SWAP, psn, new AtomicEth(address, key, replacement, expected));
    }

    private static WirePacket atomic(Opcode opcode, int psn, AtomicEth eth) {
        return new WirePacket(opcode, psn, false, false, null, eth, null, null, null, NOTHING);
    }

    // --- answers

    public static WirePacket answer(Opcode opcode, int psn, int syndrome, int msn) {
        return new WirePacket(opcode, psn, false, false, null, null, new Aeth(syndrome, msn), null, null, NOTHING);
    }

    public static WirePacket ack(int psn, int msn) {
        return answer(Opcode.RC_ACKNOWLEDGE, psn, Syndrome.ack(CreditCode.NONE), msn);
    }

    public static WirePacket nak(int psn, NakCode code, int msn) {
        return answer(Opcode.RC_ACKNOWLEDGE, psn, Syndrome.nak(code), msn);
    }

    public static WirePacket rnrNak(int psn, RnrTimer timer, int msn) {
        return answer(Opcode.RC_ACKNOWLEDGE, psn, Syndrome.rnr(timer), msn);
    }

    public static WirePacket readResponseOnly(int psn, int msn, byte[] payload) {
        return readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, psn, msn, payload);
    }

    /** A read response with an AETH: first, last or only. */
    public static WirePacket readResponse(Opcode opcode, int psn, int msn, byte[] payload) {
        return answer(opcode, psn, Syndrome.ack(CreditCode.NONE), msn).with(payload);
    }

    public static WirePacket readResponseMiddle(int psn, byte[] payload) {
        return of(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, psn).with(payload);
    }

    public static WirePacket atomicAck(int psn, int msn, long original) {
        WirePacket plain = answer(Opcode.RC_ATOMIC_ACKNOWLEDGE, psn, Syndrome.ack(CreditCode.NONE), msn);
        return new WirePacket(
                plain.opcode,
                psn,
                false,
                false,
                null,
                null,
                plain.aeth,
                new AtomicAckEth(original),
                null,
                plain.payload);
    }

    // --- changed copies

    public WirePacket to(Reth where) {
        return new WirePacket(opcode, psn, ackRequest, solicited, where, atomic, aeth, atomicAck, value, payload);
    }

    public WirePacket with(byte[] bytes) {
        return new WirePacket(
                opcode, psn, ackRequest, solicited, reth, atomic, aeth, atomicAck, value, ByteBuffer.wrap(bytes));
    }

    /** With immediate data, or the key to invalidate. */
    public WirePacket with(int immediateOrKey) {
        return new WirePacket(
                opcode, psn, ackRequest, solicited, reth, atomic, aeth, atomicAck, immediateOrKey, payload);
    }

    /** Asking for an acknowledgement. */
    public WirePacket asking() {
        return new WirePacket(opcode, psn, true, solicited, reth, atomic, aeth, atomicAck, value, payload);
    }

    public WirePacket soliciting() {
        return new WirePacket(opcode, psn, ackRequest, true, reth, atomic, aeth, atomicAck, value, payload);
    }

    public WirePacket at(int otherPsn) {
        return new WirePacket(opcode, otherPsn, ackRequest, solicited, reth, atomic, aeth, atomicAck, value, payload);
    }

    /** The same packet without its data, to compare the rest. */
    public WirePacket bare() {
        return with(new byte[0]);
    }

    public byte[] bytes() {
        byte[] copy = new byte[payload.remaining()];
        payload.get(payload.position(), copy);
        return copy;
    }

    // --- the wire

    public int padCount() {
        return -payload.remaining() & 3;
    }

    /** Bytes from BTH to ICRC. */
    public int length() {
        return opcode.headerLength() + payload.remaining() + padCount() + Icrc.LENGTH;
    }

    /** Writes everything but the ICRC; the number on the wire is {@code wirePsn}. */
    public void write(MemorySegment segment, long at, int queuePair, int pkey, int wirePsn) {
        segment.asSlice(at, length()).fill((byte) 0);
        new Bth(opcode.code(), solicited, false, padCount(), 0, pkey, false, false, queuePair, ackRequest, wirePsn)
                .write(segment, at);
        for (Extension extension : opcode.extensions()) {
            long to = at + opcode.offsetOf(extension);
            switch (extension) {
                case RETH -> Objects.requireNonNull(reth).write(segment, to);
                case ATOMIC_ETH -> Objects.requireNonNull(atomic).write(segment, to);
                case AETH -> Objects.requireNonNull(aeth).write(segment, to);
                case ATOMIC_ACK_ETH -> Objects.requireNonNull(atomicAck).write(segment, to);
                case IMMDT -> new ImmDt(Objects.requireNonNull(value)).write(segment, to);
                case IETH -> new Ieth(Objects.requireNonNull(value)).write(segment, to);
                default -> {}
            }
        }
        MemorySegment.copy(MemorySegment.ofArray(bytes()), 0, segment, at + opcode.headerLength(), payload.remaining());
    }

    /** Reads a packet of {@code length} bytes; {@code psn} is the one to show. */
    public static WirePacket read(MemorySegment segment, long at, int length, int psn) {
        Bth bth = Bth.read(segment, at);
        Opcode opcode = Objects.requireNonNull(Opcode.of(bth.opcode()));
        byte[] payload = new byte[opcode.payloadLength(length, bth.padCount())];
        MemorySegment.copy(segment, at + opcode.headerLength(), MemorySegment.ofArray(payload), 0, payload.length);
        Integer value = null;
        if (opcode.carriesImmediate()) {
            value = ImmDt.read(segment, at + opcode.offsetOf(Extension.IMMDT)).value();
        } else if (opcode.carriesInvalidate()) {
            value = Ieth.read(segment, at + opcode.offsetOf(Extension.IETH)).key();
        }
        return new WirePacket(
                opcode,
                psn,
                bth.ackRequest(),
                bth.solicited(),
                opcode.carriesReth() ? Reth.read(segment, at + opcode.offsetOf(Extension.RETH)) : null,
                opcode.isAtomic() ? AtomicEth.read(segment, at + opcode.offsetOf(Extension.ATOMIC_ETH)) : null,
                opcode.carriesAeth() ? Aeth.read(segment, at + opcode.offsetOf(Extension.AETH)) : null,
                opcode.carries(Extension.ATOMIC_ACK_ETH)
                        ? AtomicAckEth.read(segment, at + opcode.offsetOf(Extension.ATOMIC_ACK_ETH))
                        : null,
                value,
                ByteBuffer.wrap(payload));
    }

    @Override
    public String toString() {
        byte[] data = bytes();
        String start = HexFormat.of().formatHex(data, 0, Math.min(16, data.length));
        return opcode
                + " " + psn
                + (ackRequest ? " asking" : "")
                + (solicited ? " soliciting" : "")
                + (reth == null ? "" : " " + reth)
                + (atomic == null ? "" : " " + atomic)
                + (aeth == null ? "" : " " + Syndrome.describe(aeth.syndrome()) + " msn " + aeth.msn())
                + (atomicAck == null ? "" : " " + atomicAck)
                + (value == null ? "" : " value 0x" + Integer.toHexString(value))
                + " " + data.length + " bytes " + start;
    }
}
