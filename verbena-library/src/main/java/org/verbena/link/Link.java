package org.verbena.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets between addresses, unreliably: a packet arrives once, several times or never, in any order.
 *
 * <p>One thread drives a link: the thread that drives its engine. It makes all calls but {@link #counters()}, {@link #name()}, {@link
 * #framing()}, {@link #local()}, {@link #locals()}, {@link #partitions()}, {@link #carriesRaw()} and {@link #packetMax()}, which are for any
 * thread. The content of
 * a packet never makes a link throw. A link never waits: its runner does, in a {@link Sleeper}. Between {@link #claim} and the {@link
 * #commit} or {@link #abandon} of that packet no other packet is claimed.
 */
public interface Link extends WakeSource, AutoCloseable {
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
     * The partition keys that the management of the network has given to this link's port, as they are now. Any thread.
     *
     * @return none if the network has no such management: the user of the link chooses then
     */
    default List<Integer> partitions() {
        return List.of();
    }

    /**
     * Prepares a destination: one receiver, or the members of a multicast group. Packets leave from the flow's source or, if it has none,
     * from the first local address of the same family. May allocate: called once per connection, not per packet.
     *
     * @throws LinkException if the address is of another kind than this link's, no local address is of its family, the flow's source is
     *     not this link's, or the system refuses a setting of the flow
     */
    LinkPath path(Address remote, LinkFlow flow);

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
     * Reserves room for one packet of exactly {@code length} bytes, which the caller fills and {@linkplain #commit commits}. May hand over
     * earlier packets to make room.
     *
     * @return the packet, valid until it is committed or abandoned; or null if there is no room now: try again in a later turn
     * @throws IllegalArgumentException if the path is another link's, or the length is not in 1 … {@link #packetMax()}
     */
    @Nullable
    Packet claim(LinkPath path, int length);

    /**
     * Like {@link #claim}, for a packet that is better lost than late: if the destination has no room, the packet is counted as dropped when
     * it is committed.
     */
    default @Nullable Packet claimOrDrop(LinkPath path, int length) {
        return claim(path, length);
    }

    /**
     * Like {@link #claimOrDrop}, for a raw packet.
     *
     * @throws LinkException if this link does not {@linkplain #carriesRaw() carry} any
     */
    default @Nullable Packet claimRaw(LinkPath path, int length) {
        throw new LinkException("raw packet for " + name() + " at " + local()
                + " found, a link within the process or on a fabric expected: no other carries them");
    }

    /** Completes the packet claimed last. It leaves at the latest in the next {@link #flush}. */
    void commit(Packet packet);

    /** Gives up the packet claimed last: it is not sent. */
    void abandon(Packet packet);

    /**
     * Hands over the committed packets. Packets that find no room stay for the next flush.
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
     * Takes the address of a receiver that does not receive: the network has told that no socket is at its port, after a packet was
     * sent to it. Makes system calls; for rare occasions, not for each packet. A hint: such messages of a network can be forged.
     *
     * @return null if the network has told of no further one, or this link cannot know
     */
    default @Nullable Address takeRefusal() {
        return null;
    }

    /** Counts since this link was opened. Any thread. */
    LinkCounters counters();

    /** Gives everything back; committed packets that have not left are lost. Closing again does nothing. */
    @Override
    void close();
}
