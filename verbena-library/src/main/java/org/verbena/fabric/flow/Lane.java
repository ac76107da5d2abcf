package org.verbena.fabric.flow;

import org.jspecify.annotations.Nullable;

/**
 * One virtual lane of a port: the packets that wait to leave by it, the credits that the peer has given for it, and the receive buffer that gives
 * credits to the peer. Counts of blocks are those of the standard: 12 bits that wrap. As an event it is the end of the time that the packet at the head may
 * wait.
 */
final class Lane extends Event {
    /** Counts of blocks wrap at this number. */
    static final int WRAP_MASK = 0xfff;

    /** More credits than this are none: the difference has wrapped. */
    static final int CREDITS_MAX = 2048;

    private static final int LONGEST_BLOCKS = (Parcel.ROOM + Parcel.BLOCK - 1) / Parcel.BLOCK;

    final PortFlow port;
    final int number;
    /** Blocks of the receive buffer. */
    final int capacity;
    /** Blocks that must be free anew before the peer is told. */
    private final int tellAt;

    // --- to the peer
    @Nullable
    Parcel head;

    private @Nullable Parcel tail;
    int waiting;
    int waitingBlocks;
    /** Blocks sent (FCTBS). */
    int sent;
    /** Blocks that may be sent (FCCL as received last). */
    int limit;
    /** Since when the head has waited for credits; meaningful while the port has the lane blocked. */
    long blockedSincePs;
    /** Packets dropped in a row because their time at the head was over. */
    int stalls;
    /** Until when the lane discards all packets. */
    long stalledUntilPs;

    // --- from the peer
    /** Blocks received (ABR). */
    int received;
    /** Blocks in the buffer. */
    int used;
    /** The limit that the peer was told last. */
    int told;

    Lane(PortFlow port, int number, int bufferBytes) {
        this.port = port;
        this.number = number;
        this.capacity = Math.min(bufferBytes / Parcel.BLOCK, CREDITS_MAX);
        this.tellAt = Math.max(1, Math.min(capacity / 8, capacity - LONGEST_BLOCKS));
        this.told = capacity;
        this.limit = capacity;
    }

    /** The link between the two ends of a lane has come up: no block is under way. Packets may still be in the buffers. */
    static void begin(Lane one, Lane other) {
        one.begin();
        other.begin();
        one.limit = other.told;
        other.limit = one.told;
    }

    private void begin() {
        sent = 0;
        received = 0;
        stalls = 0;
        told = limitForPeer();
    }

    void add(Parcel parcel) {
        parcel.next = null;
        if (tail == null) {
            head = parcel;
        } else {
            tail.next = parcel;
        }
        tail = parcel;
        waiting++;
        waitingBlocks += parcel.blocks;
    }

    /** Takes the packet at the head; null if there is none. */
    @Nullable
    Parcel poll() {
        Parcel first = head;
        if (first != null) {
            head = first.next;
            if (head == null) {
                tail = null;
            }
            first.next = null;
            waiting--;
            waitingBlocks -= first.blocks;
        }
        return first;
    }

    /** Credits left. */
    int credits() {
        int credits = limit - sent & WRAP_MASK;
        return credits > CREDITS_MAX ? 0 : credits;
    }

    /** A packet enters the buffer; false if it does not fit: the peer has sent more than its credits. */
    boolean onReceived(int blocks) {
        received = received + blocks & WRAP_MASK;
        if (used + blocks > capacity) {
            return false;
        }
        used += blocks;
        return true;
    }

    /** Blocks of the buffer are free again; whether the peer should be told now. */
    boolean onFreed(int blocks) {
        used -= blocks;
        assert used >= 0 : "blocks of " + port + " lane " + number + " freed twice";
        return (limitForPeer() - told & WRAP_MASK) >= tellAt;
    }

    /** The limit to tell the peer (FCCL). */
    int limitForPeer() {
        return received + capacity - used & WRAP_MASK;
    }

    /** A flow control packet came: {@code peerSent} is the peer's FCTBS, {@code newLimit} its FCCL. */
    void onNote(int peerSent, int newLimit) {
        received = peerSent;
        limit = newLimit;
    }

    @Override
    void happen() {
        port.onWaitOver(this);
    }

    @Override
    public String toString() {
        return port + " lane " + number;
    }
}
