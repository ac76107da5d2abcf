package org.verbena.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets between endpoints, unreliably: a packet arrives once, several times or never, in any order.
 *
 * <p>One thread, the one that drives the engine, calls everything but {@link #wakeup()}, {@link #counters()}, {@link #name()},
 * {@link #local()}, {@link #locals()}, {@link #carriesRaw()} and {@link #packetMax()}. Nothing a packet contains makes a link throw. Between {@link #claim} and the
 * {@link #commit} or {@link #abandon} that answers it no other packet is claimed.
 */
public interface Link extends AutoCloseable {
    /** The kind of this link with the wrappers around it, for people. */
    String name();

    /** The headers around this link's packets on the wire. Never changes. Any thread. */
    Framing framing();

    /** The addresses this link receives at: one or several of one kind, all different, never wildcards. Any thread. */
    List<? extends Address> locals();

    /** The first of {@link #locals()}. */
    default Address local() {
        return locals().getFirst();
    }

    /** Longest packet, in bytes from BTH to invariant CRC, that this link carries. */
    int packetMax();

    /** Whether this link carries raw packets: bytes of any kind, without BTH and invariant CRC. */
    default boolean carriesRaw() {
        return false;
    }

    /**
     * Prepares a destination: one receiver, or the members of a multicast group. Packets leave from the flow's source or, if it has none,
     * from the first local address of the same family. May allocate: called once per connection, not per packet.
     *
     * @throws LinkException if the address is of another kind than this link's, no local address is of its family, the flow's source is
     *     not this link's, or the system refuses a setting of the flow
     */
    Path path(Address remote, Flow flow);

    /**
     * Makes this link a member of a multicast group: it then receives the packets sent to the group, its own included. Such packets have
     * the group as their target. Joining again does nothing.
     *
     * @throws LinkException if the address is not a multicast one, no local address is of its family, or the system refuses
     */
    void join(Address group);

    /** Ends a membership; does nothing if the link is no member. Packets that have arrived before may still be delivered. */
    void leave(Address group);

    /**
     * Room for one packet of exactly {@code length} bytes, for the caller to fill and {@link #commit}. May hand over earlier packets to
     * make room.
     *
     * @return the packet, valid until it is committed or abandoned; or null if there is no room now: try again in a later turn
     * @throws IllegalArgumentException if the path is another link's, or the length is not in 1 … {@link #packetMax()}
     */
    @Nullable
    Packet claim(Path path, int length);

    /**
     * Like {@link #claim}, for a packet that is better lost than waited for: if its destination has no room, however much this link has,
     * it is counted as dropped once it is committed.
     */
    default @Nullable Packet claimOrDrop(Path path, int length) {
        return claim(path, length);
    }

    /**
     * Like {@link #claimOrDrop}, for a raw packet.
     *
     * @throws LinkException if this link does not {@linkplain #carriesRaw() carry} any
     */
    default @Nullable Packet claimRaw(Path path, int length) {
        throw new LinkException("raw packet for " + name() + " at " + local()
                + " found, a link within the process expected: no other carries them");
    }

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
