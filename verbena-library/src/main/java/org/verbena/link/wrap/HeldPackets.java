package org.verbena.link.wrap;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;

/** Copies of a few packets, each released after a number of other packets; of those that are due, the first held is released first. */
final class HeldPackets {
    private static final int HELD_MAX = 16;

    private static final class Slot {
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(Packet.ROUTE_MAX + Packet.LENGTH_MAX);
        private final Packet packet = new Packet().in(MemorySegment.ofBuffer(bytes), bytes);
        private @Nullable LinkPath path;
        private int wait;
    }

    private final Slot[] slots = new Slot[HELD_MAX];
    private int count;

    HeldPackets() {
        for (int i = 0; i < HELD_MAX; i++) {
            slots[i] = new Slot();
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == HELD_MAX;
    }

    /** Keeps a copy, to be let go after {@code wait} others; the path is for packets that leave. */
    void hold(Packet packet, @Nullable LinkPath path, int wait) {
        Slot slot = slots[count++];
        slot.path = path;
        slot.wait = wait;
        slot.packet.copy(packet);
    }

    /** Another packet has passed. */
    void age() {
        for (int i = 0; i < count; i++) {
            slots[i].wait--;
        }
    }

    /** All have waited long enough. */
    void hurry() {
        for (int i = 0; i < count; i++) {
            slots[i].wait = 0;
        }
    }

    /** The index of the first packet that is due, −1 if none is. */
    int due() {
        for (int i = 0; i < count; i++) {
            if (slots[i].wait <= 0) {
                return i;
            }
        }
        return -1;
    }

    Packet packet(int index) {
        return slots[index].packet;
    }

    @Nullable
    LinkPath path(int index) {
        return slots[index].path;
    }

    /** Forgets one; its memory stays readable until the next is held. */
    void remove(int index) {
        Slot gone = slots[index];
        System.arraycopy(slots, index + 1, slots, index, --count - index);
        slots[count] = gone;
    }
}
