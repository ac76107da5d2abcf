package org.verbena.adapter.pair;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.memory.protection.Binding;
import org.verbena.memory.protection.MemoryRange;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/** Work that is done at this adapter: requests that send nothing (bind a window, invalidate, register), and the registration in front of a message. */
public final class LocalWork {
    private final AccessRights rights;
    private final ProtectionTable memory;
    private final Ring ring;
    private final @Nullable RegisterWork registers;

    /** @param registers null if the queue pair takes no registrations */
    LocalWork(AccessRights rights, ProtectionTable memory, Ring ring, @Nullable RegisterWork registers) {
        this.rights = rights;
        this.memory = memory;
        this.ring = ring;
        this.registers = registers;
    }

    /** Does the request at a position, whose operation was read from its slot. */
    public Verdict execute(long position, Operation operation) {
        MemorySegment slots = ring.memory();
        long slot = ring.slot(position);
        int key = SendSlot.argument(slots, slot);
        return switch (operation) {
            case BIND_WINDOW -> memory.bind(rights.binder(), key, binding(slots, slot));
            case LOCAL_INVALIDATE -> memory.invalidate(key, rights.localWrite());
            case REGISTER -> register(position, key, touches(slots, slot));
            default -> throw new AssertionError(operation + " is not done locally");
        };
    }

    /** Whether the message at a position is sent after a key is registered. */
    public boolean registersFirst(long position, Operation operation) {
        return operation == Operation.SEND && SendSlot.is(ring.memory(), ring.slot(position), SendSlot.FLAG_REGISTERS);
    }

    /** Registers the key of the message at a position. Called once, when the message begins. */
    public Verdict registerFirst(long position) {
        MemorySegment slots = ring.memory();
        long slot = ring.slot(position);
        return register(position, SendSlot.newKey(slots, slot), touches(slots, slot));
    }

    /** Memory that the request has brought goes behind the key. Without it the key must be one of a region whose memory is fixed. */
    private Verdict register(long position, int key, Touches touches) {
        if (registers == null) {
            return Verdict.NOT_ENABLED;
        }
        MemoryRange range = registers.staged(position);
        if (range == null) {
            return memory.enable(key, rights.localWrite(), touches);
        }
        Verdict verdict = memory.register(key, rights.localWrite(), range, touches);
        if (verdict.granted()) {
            registers.onRegistered(position);
        }
        return verdict;
    }

    private static Binding binding(MemorySegment slots, long slot) {
        return new Binding(
                SendSlot.newKey(slots, slot),
                SendSlot.remoteKey(slots, slot),
                SendSlot.remoteAddress(slots, slot),
                SendSlot.firstOperand(slots, slot),
                (int) SendSlot.secondOperand(slots, slot),
                touches(slots, slot));
    }

    private static Touches touches(MemorySegment slots, long slot) {
        return SendSlot.is(slots, slot, SendSlot.FLAG_ONE_TOUCH) ? Touches.ONE : Touches.MANY;
    }
}
