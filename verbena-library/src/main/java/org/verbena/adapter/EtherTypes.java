package org.verbena.adapter;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Packet;
import org.verbena.wire.BigEndian;

/** Which queue pair takes the raw packets of which EtherType: one each. */
public final class EtherTypes {
    /** Takes raw packets. */
    public interface Receiver {
        /** A packet, its raw header included. Must not throw for any content. */
        void receiveRaw(Packet packet);
    }

    /** Two bytes of nothing and the EtherType (specification 5.3.1). */
    public static final int HEADER_LENGTH = 4;

    private static final int TYPE = 2;

    private final Map<Integer, Receiver> receivers = new HashMap<>();
    // The last one found: looking in the map for each packet would make an object of its number.
    private int lastType = -1;
    private @Nullable Receiver last;

    EtherTypes() {}

    /**
     * Packets of this type go to the receiver.
     *
     * @throws IllegalStateException if they go to another one already
     */
    public void add(int type, Receiver receiver) {
        if (receivers.putIfAbsent(type, receiver) != null) {
            throw new IllegalStateException(
                    "EtherType 0x" + Integer.toHexString(type) + " has a raw queue pair of the adapter already");
        }
        lastType = -1;
    }

    public void remove(int type, Receiver receiver) {
        receivers.remove(type, receiver);
        lastType = -1;
    }

    /** Who takes the packet; null if nobody does, or it is too short to say. */
    @Nullable
    Receiver find(Packet packet) {
        if (packet.length() < HEADER_LENGTH) {
            return null;
        }
        int type = BigEndian.readShort(packet.segment(), packet.offset() + TYPE);
        if (type != lastType) {
            last = receivers.get(type);
            lastType = type;
        }
        return last;
    }

    /** Writes the raw header. */
    static void write(Packet packet, int type) {
        BigEndian.writeShort(packet.segment(), packet.offset(), 0);
        BigEndian.writeShort(packet.segment(), packet.offset() + TYPE, type);
    }
}
