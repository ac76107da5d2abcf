package org.verbena.adapter.ib;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.QueuePairTable;

/** Packet receivers of a port, by the number of their queue pair. */
public final class PacketReceivers {
    private @Nullable PacketReceiver[] slots = new @Nullable PacketReceiver[64];

    public void add(PacketReceiver receiver) {
        int index = QueuePairTable.index(receiver.number());
        while (index >= slots.length) {
            slots = Arrays.copyOf(slots, slots.length * 2);
        }
        slots[index] = receiver;
    }

    public void remove(PacketReceiver receiver) {
        if (receiver.equals(find(receiver.number()))) {
            slots[QueuePairTable.index(receiver.number())] = null;
        }
    }

    @Nullable
    PacketReceiver find(int number) {
        int index = QueuePairTable.index(number);
        PacketReceiver receiver = index < slots.length ? slots[index] : null;
        return receiver != null && receiver.number() == number ? receiver : null;
    }
}
