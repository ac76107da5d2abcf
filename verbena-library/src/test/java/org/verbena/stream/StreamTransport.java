package org.verbena.stream;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.adapter.pair.ReceiveQueue;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.adapter.pair.Transport;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/** Sends and writes over byte streams: a header of type, length, key and address, then the data. A request is done when it is in the stream. */
final class StreamTransport implements Transport {
    private static final int HEADER = 17;
    private static final byte SEND = 1;
    private static final byte WRITE = 2;

    private final Pair pair;
    private final StreamCarrier carrier;
    private final StreamCarrier peer;
    private final int peerNumber;
    private final ProtectionTable memory;
    private final Effort effort;
    private final SegmentList segments;
    private final ByteStream input = new ByteStream();

    // Of the message under way, in each direction.
    private long sent = -1;
    private byte type;
    private int length;
    private int key;
    private long address;
    private int placed;

    StreamTransport(Pair pair, EngineParts parts, StreamCarrier carrier, StreamCarrier peer, int peerNumber) {
        this.pair = pair;
        this.carrier = carrier;
        this.peer = peer;
        this.peerNumber = peerNumber;
        this.memory = parts.memory();
        this.effort = parts.effort();
        this.segments = SegmentList.within(SendSlot.room(pair.sends().ring().slotLength()));
    }

    int number() {
        return pair.number();
    }

    @Override
    public void readyToSend(ReadyParameters parameters) {}

    @Override
    public boolean transmit(long nowNs, int budget) {
        while (pair.state().takesSends()
                && (isSending()
                        || (pair.sends().posted() > 0 && pair.lifecycle().beginsRequests()))) {
            if (!step(peer.find(peerNumber).input)) {
                return true;
            }
        }
        return false;
    }

    /** A request without data, or a piece of one with data; false when the stream is full. */
    private boolean step(ByteStream output) {
        Ring ring = pair.sends().ring();
        MemorySegment slots = ring.memory();
        long slot = ring.slot(pair.sends().retired());
        Operation operation = SendSlot.operation(slots, slot);
        if (operation.isLocal()) {
            return retire(pair.localWork().execute(pair.sends().retired(), operation));
        }
        if (!isSending()) {
            if (output.room() < HEADER) {
                return false;
            }
            segments.load(slots, slot + SendSlot.HEADER_LENGTH, SendSlot.segments(slots, slot));
            output.write(ByteBuffer.allocate(HEADER)
                    .put(operation == Operation.WRITE ? WRITE : SEND)
                    .putInt((int) segments.total())
                    .putInt(SendSlot.remoteKey(slots, slot))
                    .putLong(SendSlot.remoteAddress(slots, slot))
                    .flip());
            sent = 0;
        }
        int piece = (int) Math.min(output.room(), segments.total() - sent);
        ByteBuffer data = ByteBuffer.allocate(piece);
        Verdict verdict =
                segments.gather(memory, pair.rights().localRead(), sent, MemorySegment.ofBuffer(data), 0, piece);
        if (verdict.granted()) {
            output.write(data);
            sent += piece;
        }
        if (piece > 0) {
            effort.addBytes(piece); // a full stream costs nothing: else the engine would seem busy
        }
        return (verdict.granted() && sent < segments.total()) ? piece > 0 : retire(verdict);
    }

    private boolean retire(Verdict verdict) {
        sent = -1;
        pair.retire(verdict.granted() ? Status.SUCCESS : Status.LOCAL_PROTECTION_ERROR, verdict);
        if (!verdict.granted()) {
            pair.fail(EventKind.QUEUE_PAIR_FATAL);
        }
        return true;
    }

    /** Takes bytes that have arrived; how many pieces. */
    int receive() {
        int pieces = 0;
        while (pair.state().answers() && receivePiece()) {
            pieces++;
        }
        return pieces;
    }

    private boolean receivePiece() {
        if (type == 0) {
            if (input.available() < HEADER) {
                return false;
            }
            ByteBuffer header = input.read(HEADER);
            type = header.get();
            length = header.getInt();
            key = header.getInt();
            address = header.getLong();
            placed = 0;
        }
        int piece = Math.min(input.available(), length - placed);
        if ((piece == 0 && placed < length) || (type == SEND && !pair.receives().take())) {
            return false;
        }
        if (place(piece).granted()) {
            placed += piece;
            finishIfWhole();
        } else {
            pair.fail(EventKind.QUEUE_PAIR_ACCESS_ERROR);
        }
        return true;
    }

    private Verdict place(int piece) {
        MemorySegment data = input.readSegment(piece);
        if (type == SEND) {
            return pair.receives().hand().segments().place(memory, pair.rights().localWrite(), placed, data, 0, piece);
        }
        return pair.rights().allows(pair.rights().remoteWrite())
                ? memory.place(pair.rights().remoteWrite(), key, address + placed, data, 0, piece, length - placed)
                : Verdict.NO_RIGHT;
    }

    private void finishIfWhole() {
        if (placed < length) {
            return;
        }
        if (type == SEND) {
            ReceiveQueue receives = pair.receives();
            receives.begin(Operation.RECEIVE, Status.SUCCESS).byteLength(length);
            receives.finish();
        }
        type = 0;
    }

    @Override
    public boolean isSending() {
        return sent >= 0;
    }

    @Override
    public void stop() {}

    @Override
    public void detach() {
        carrier.detach(this);
    }
}
