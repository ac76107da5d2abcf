package org.verbena.adapter.ib.message;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.ib.PacketKind;
import org.verbena.wire.ib.Reth;

/** The message of several packets that is arriving: its operation, its target, and the number of bytes placed. */
final class InboundMessage {
    private @Nullable PacketKind kind;
    private long address;
    private int key;
    private long length;
    private long placed;

    /** Send or write that is between its first and its last packet; null between messages. */
    @Nullable
    PacketKind kind() {
        return kind;
    }

    void beginSend() {
        kind = PacketKind.SEND;
        placed = 0;
    }

    void beginWrite(MemorySegment packet, long reth) {
        kind = PacketKind.RDMA_WRITE;
        address = Reth.address(packet, reth);
        key = Reth.key(packet, reth);
        length = Integer.toUnsignedLong(Reth.length(packet, reth));
        placed = 0;
    }

    /** Where the next byte of a write goes. */
    long address() {
        return address + placed;
    }

    int key() {
        return key;
    }

    /** Bytes of a write still to come. */
    long remaining() {
        return length - placed;
    }

    /** Bytes of the message so far. */
    long placed() {
        return placed;
    }

    void onPlaced(int bytes) {
        placed += bytes;
    }

    void end() {
        kind = null;
    }
}
