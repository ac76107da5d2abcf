package org.verbena.adapter.pair;

import java.lang.foreign.MemorySegment;
import org.verbena.Operation;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.memory.protection.Binding;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.SendSlot;

/** Work requests that are done at this adapter and send nothing: bind a window, invalidate, enable a region. */
public final class LocalWork {
    private final AccessRights rights;
    private final ProtectionTable memory;

    public LocalWork(AccessRights rights, ProtectionTable memory) {
        this.rights = rights;
        this.memory = memory;
    }

    public Verdict execute(MemorySegment slots, long slot, Operation operation) {
        int key = SendSlot.argument(slots, slot);
        return switch (operation) {
            case BIND_WINDOW -> memory.bind(rights.binder(), key, binding(slots, slot));
            case LOCAL_INVALIDATE -> memory.invalidate(key, rights.localWrite());
            case REGISTER -> memory.enable(key, rights.localWrite(), touches(slots, slot));
            default -> throw new AssertionError(operation + " is not done locally");
        };
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
