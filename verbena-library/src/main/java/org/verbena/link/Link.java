package org.verbena.link;

import org.jspecify.annotations.Nullable;

/**
 * Carries packets between endpoints, unreliably: a packet arrives once, several times or never, in any order.
 *
 * <p>One thread, the one that drives the engine, calls everything but {@link #wakeup()}, {@link #counters()}, {@link #name()},
 * {@link #local()} and {@link #packetMax()}. Nothing a packet contains makes a link throw. Between {@link #claim} and the
 * {@link #commit} or {@link #abandon} that answers it no other packet is claimed.
 */
public interface Link extends AutoCloseable {
    /** What this link is, for people: its kind, with the wrappers around it. */
    String name();

    /** Where this link receives. The address is a definite one, never a wildcard. */
    Endpoint local();

    /** Longest packet, in bytes from BTH to invariant CRC, that this link carries. */
    int packetMax();

    /**
     * Prepares a destination. May allocate: done once per connection, not per packet.
     *
     * @param flow entropy that spreads connections over source ports, where the link has several
     * @throws LinkException if the remote address is of another family than the local one
     */
    Path path(Endpoint remote, int flow);

    /**
     * Room for one packet of exactly {@code length} bytes, for the caller to fill and {@link #commit}. May hand over earlier packets to
     * make room.
     *
     * @return the packet, valid until it is committed or abandoned; or null if there is no room now: try again in a later turn
     * @throws IllegalArgumentException if the path is another link's, or the length is not in 1 … {@link #packetMax()}
     */
    @Nullable
    Packet claim(Path path, int length);

    /** The packet claimed last is complete and may leave; it does so at the latest in the next {@link #flush}. */
    void commit(Packet packet);

    /** The packet claimed last shall not be sent. */
    void abandon(Packet packet);

    /**
     * Hands over what was committed. What finds no room stays for the next flush.
     *
     * @return packets handed over in this call
     */
    int flush();

    /**
     * Delivers packets that have arrived, without waiting. The handler may claim, commit and flush on this link, not receive.
     *
     * @return packets delivered, at most {@code limit}
     */
    int receive(PacketHandler handler, int limit);

    /**
     * Waits until there may be something to receive or room for what could not leave, {@link #wakeup()} is called, or the time is over.
     *
     * @return false if the time is over and nothing else is known; true may be said without reason
     */
    boolean await(long timeoutNs);

    /** Lets the current {@link #await}, or else the next one, return at once. Any thread; cheap when nobody waits. */
    void wakeup();

    /** What this link has done so far. Any thread. */
    LinkCounters counters();

    /** Gives everything back; committed packets that have not left are lost. Closing again does nothing. */
    @Override
    void close();
}
