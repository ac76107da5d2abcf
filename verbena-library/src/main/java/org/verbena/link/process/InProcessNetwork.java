package org.verbena.link.process;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.support.Locals;
import org.verbena.link.support.Misuse;

/**
 * A network within the process: every link opened on it reaches every other by its endpoint.
 *
 * <p>A sender writes its packet straight into the memory the receiver reads it from. A full receiver is back-pressure, never a loss.
 * Lost are, as on any network, packets to an endpoint without a link, and the copies for members of a group that are
 * full. Any thread may open links; each link is driven by one thread,
 * and one thread may drive several.
 */
public final class InProcessNetwork {
    private static final int RING_BYTES = 512 * 1024;
    private static final int RING_BYTES_MIN = 16 * 1024;
    private static final int RING_BYTES_MAX = 1 << 30;

    static final InProcessLink[] NOBODY = {};

    private final ConcurrentHashMap<Endpoint, InProcessLink> links = new ConcurrentHashMap<>();
    /** Members of groups; arrays are never changed, only replaced. */
    private final ConcurrentHashMap<Endpoint, InProcessLink[]> groups = new ConcurrentHashMap<>();

    private final AtomicInteger opened = new AtomicInteger();
    private final int ringBytes;

    public InProcessNetwork() {
        this(RING_BYTES);
    }

    /**
     * A network whose links each hold a given number of bytes that were sent and not yet received.
     *
     * @param ringBytes a power of two, from 16 KiB to 1 GiB
     */
    public InProcessNetwork(int ringBytes) {
        if (ringBytes < RING_BYTES_MIN || ringBytes > RING_BYTES_MAX || Integer.bitCount(ringBytes) != 1) {
            throw new LinkException("ring of " + ringBytes + " bytes found, a power of two from " + RING_BYTES_MIN
                    + " to " + RING_BYTES_MAX + " expected");
        }
        this.ringBytes = ringBytes;
    }

    /** A link at an address of the network's choice: 10.0.0.1, 10.0.0.2 and so on. */
    public Link open() {
        while (true) {
            long address = Endpoint.mapped((10 << 24) + opened.incrementAndGet());
            InProcessLink link = add(List.of(Endpoint.of(0, address, Endpoint.ROCE_PORT)));
            if (link != null) {
                return link;
            }
        }
    }

    /**
     * A link at this endpoint, which need not be one of the machine.
     *
     * @throws LinkException if another open link of this network is there, or the endpoint is a wildcard
     */
    public Link open(Endpoint local) {
        return open(List.of(local));
    }

    /**
     * A link at all of these endpoints.
     *
     * @see #open(Endpoint)
     */
    public Link open(List<Endpoint> several) {
        List<Endpoint> locals = Locals.definite(several);
        InProcessLink link = add(locals);
        if (link == null) {
            throw Misuse.inUse(locals);
        }
        return link;
    }

    private @Nullable InProcessLink add(List<Endpoint> locals) {
        InProcessLink link = new InProcessLink(this, locals, ringBytes);
        for (Endpoint local : locals) {
            if (links.putIfAbsent(local, link) != null) {
                remove(link);
                return null;
            }
        }
        return link;
    }

    @Nullable
    InProcessLink at(Endpoint endpoint) {
        return links.get(endpoint);
    }

    void remove(InProcessLink link) {
        link.locals().forEach(local -> links.remove(local, link));
    }

    void join(InProcessLink link, Endpoint group) {
        groups.merge(
                group,
                new InProcessLink[] {link},
                (members, one) -> Stream.concat(Arrays.stream(members), Arrays.stream(one))
                        .toArray(InProcessLink[]::new));
    }

    void leave(InProcessLink link, Endpoint group) {
        groups.computeIfPresent(
                group,
                (at, members) -> members.length == 1
                        ? null
                        : Arrays.stream(members)
                                .filter(member -> member != link)
                                .toArray(InProcessLink[]::new));
    }

    InProcessLink[] members(Endpoint group) {
        return groups.getOrDefault(group, NOBODY);
    }
}
