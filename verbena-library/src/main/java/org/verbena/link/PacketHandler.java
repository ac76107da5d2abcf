package org.verbena.link;

/** Told of every packet that arrives. */
@FunctionalInterface
public interface PacketHandler {
    /** A packet has arrived. It is a view of the link's memory: valid until this method returns. Its bytes may be changed. */
    void onPacket(Packet packet);
}
