package org.verbena.tools.memory;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.verbs.LocalSegment;

/**
 * Where the initiator's messages come from and land: far more slots than are used at a time, taken in turn, so that
 * many have lost their pages when their turn comes again.
 */
final class Buffers {
    private static final int PAGE = MachineMemory.FRAME;

    private final ManagedMemory memory;
    private final Region region;
    private final int slot;
    private final int slots;
    private final BitSet taken;
    private int next;

    /** @param length bytes of a message at most */
    Buffers(ManagedMemory memory, Region region, int length) {
        this.memory = memory;
        this.region = region;
        this.slot = slot(length);
        this.slots = (int) Math.min(1 << 20, memory.length() / slot);
        this.taken = new BitSet(slots);
    }

    /** Bytes of a slot for messages of this length. */
    static int slot(int length) {
        return (length + PAGE - 1) / PAGE * PAGE;
    }

    /** A free slot. */
    int take() {
        int found = taken.nextClearBit(next);
        if (found >= slots) {
            found = taken.nextClearBit(0);
        }
        taken.set(found);
        next = (found + 1) % slots;
        return found;
    }

    void give(int number) {
        taken.clear(number);
    }

    LocalSegment segment(int number, long length) {
        return LocalSegment.of(region, (long) number * slot, length);
    }

    /** Puts a message into a slot, in whole pages, as nothing else of the slot matters. */
    void write(int number, MemorySegment message) {
        memory.write((long) number * slot, message.asSlice(0, slot));
    }

    void read(int number, MemorySegment message) {
        memory.read((long) number * slot, message);
    }
}
