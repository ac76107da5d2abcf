package org.verbena.link.udp.nio;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkCounters;
import org.verbena.link.Packet;

/** Packets that wait to leave through a {@link UdpChannel}: a ring of equal slots, first in, first out. */
final class UdpSendQueue {
    private static final int SLOTS = 64;
    private static final int SLOT_BYTES = Packet.LENGTH_MAX;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(SLOTS * SLOT_BYTES);
    private final MemorySegment segment = MemorySegment.ofBuffer(bytes);
    private final ByteBuffer view = bytes.duplicate();
    private final @Nullable UdpPath[] paths = new UdpPath[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final UdpChannel channel;
    private final LinkCounters counters;
    private int head;
    private int count;

    UdpSendQueue(UdpChannel channel, LinkCounters counters) {
        this.channel = channel;
        this.counters = counters;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    MemorySegment segment() {
        return segment;
    }

    boolean isFull() {
        return count == SLOTS;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Where the next packet is to be written. */
    int tailOffset() {
        return tail() * SLOT_BYTES;
    }

    private int tail() {
        return (head + count) % SLOTS;
    }

    /** The packet at {@link #tailOffset()} is complete. */
    void add(UdpPath path, int length) {
        paths[tail()] = path;
        lengths[tail()] = length;
        count++;
    }

    /** Sends as many packets as the system takes; returns their number. */
    int flush() {
        int packets = 0;
        while (count > 0) {
            UdpPath path = paths[head];
            if (path == null) {
                throw new AssertionError("a queued packet has a path");
            }
            int length = lengths[head];
            view.limit(head * SLOT_BYTES + length).position(head * SLOT_BYTES);
            counters.onSendCall();
            int sent = channel.send(view, path);
            if (sent == 0) {
                return packets;
            }
            head = (head + 1) % SLOTS;
            count--;
            if (sent < 0) {
                counters.onSendDropped(1);
            } else {
                counters.onSent(1, length);
                packets++;
            }
        }
        return packets;
    }

    /** Forgets everything. */
    void clear() {
        count = 0;
        Arrays.fill(paths, null);
    }
}
