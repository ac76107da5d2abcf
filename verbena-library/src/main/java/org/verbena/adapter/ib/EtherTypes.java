package org.verbena.adapter.ib;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Packet;
import org.verbena.wire.BigEndian;

/** The receivers of raw packets by EtherType, one for each type. */
public final class EtherTypes {
    /** Takes raw packets. */
    public interface Receiver extends PacketReceiver {
        /** A packet, its raw header included. Must not throw for any content. */
        void receiveRaw(Packet packet);
    }

    /** Two reserved bytes and the EtherType (specification 5.3.1). */
    public static final int HEADER_LENGTH = 4;

    private static final int TYPE = 2;

    // Sorted by type: a map would allocate an object for the type of each packet.
    private int[] types = new int[0];
    private Receiver[] receivers = new Receiver[0];

    public EtherTypes() {}

    /**
     * Packets of this type go to the receiver.
     *
     * @throws IllegalStateException if they go to another one already
     */
    public void add(int type, Receiver receiver) {
        int at = Arrays.binarySearch(types, type);
        if (at >= 0) {
            throw new IllegalStateException(
                    "EtherType 0x" + Integer.toHexString(type) + " has a raw queue pair of the adapter already");
        }
        int index = -at - 1;
        types = IntStream.concat(
                        Arrays.stream(types, 0, index),
                        IntStream.concat(IntStream.of(type), Arrays.stream(types, index, types.length)))
                .toArray();
        List<Receiver> all = new ArrayList<>(Arrays.asList(receivers));
        all.add(index, receiver);
        receivers = all.toArray(Receiver[]::new);
    }

    /** The opposite of {@link #add}; does nothing if packets of this type do not go to the receiver. */
    public void remove(int type, Receiver receiver) {
        int index = Arrays.binarySearch(types, type);
        if (index >= 0 && receivers[index].equals(receiver)) {
            types = Arrays.stream(types).filter(other -> other != type).toArray();
            receivers = Arrays.stream(receivers)
                    .filter(other -> !other.equals(receiver))
                    .toArray(Receiver[]::new);
        }
    }

    /** The receiver of the packet; null if its type has none, or if it is too short for a type. */
    @Nullable
    Receiver find(Packet packet) {
        if (packet.length() < HEADER_LENGTH) {
            return null;
        }
        int type = BigEndian.readShort(packet.segment(), packet.offset() + TYPE);
        int index = Arrays.binarySearch(types, type);
        return index >= 0 ? receivers[index] : null;
    }

    /** Writes the raw header. */
    static void write(Packet packet, int type) {
        BigEndian.writeShort(packet.segment(), packet.offset(), 0);
        BigEndian.writeShort(packet.segment(), packet.offset() + TYPE, type);
    }
}
