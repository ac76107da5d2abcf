package org.verbena.simulation;

import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.Packet;

/** A link that tells the trace of every packet an adapter sends, before anything can happen to it. */
final class TracedLink extends ForwardingLink {
    private final Trace trace;

    TracedLink(Link inner, Trace trace) {
        super(inner);
        this.trace = trace;
    }

    @Override
    public void commit(Packet packet) {
        trace.onPacket(packet);
        inner.commit(packet);
    }
}
