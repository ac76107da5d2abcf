package org.verbena.link.support;

import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.Framing;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.Packet;

/** A link of a network that is in the memory of this process: it carries RoCEv2 packets of every length between IP addresses. */
public abstract class MemoryLink implements Link {
    /** Counters of this link. */
    protected final LinkCounters counters = new LinkCounters();
    /** Its own addresses. */
    protected final List<Endpoint> locals;

    private final String name;

    /** A link with these addresses; {@code name} is the name of its kind. */
    protected MemoryLink(String name, List<Endpoint> locals) {
        this.name = name;
        this.locals = locals;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Framing framing() {
        return Framing.ROCE_V2;
    }

    @Override
    public final List<Endpoint> locals() {
        return locals;
    }

    @Override
    public final int packetMax() {
        return Packet.LENGTH_MAX;
    }

    @Override
    public final LinkCounters counters() {
        return counters;
    }
}
