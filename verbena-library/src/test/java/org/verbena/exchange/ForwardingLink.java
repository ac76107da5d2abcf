package org.verbena.exchange;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Path;

/** A link that leaves everything to another; what a test wants to see or to spoil it overrides. */
public abstract class ForwardingLink implements Link {
    protected final Link inner;

    protected ForwardingLink(Link inner) {
        this.inner = inner;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public List<Endpoint> locals() {
        return inner.locals();
    }

    @Override
    public int packetMax() {
        return inner.packetMax();
    }

    @Override
    public Path path(Endpoint remote, Flow flow) {
        return inner.path(remote, flow);
    }

    @Override
    public void join(Endpoint group) {
        inner.join(group);
    }

    @Override
    public void leave(Endpoint group) {
        inner.leave(group);
    }

    @Override
    public @Nullable Packet claim(Path path, int length) {
        return inner.claim(path, length);
    }

    @Override
    public void commit(Packet packet) {
        inner.commit(packet);
    }

    @Override
    public void abandon(Packet packet) {
        inner.abandon(packet);
    }

    @Override
    public int flush() {
        return inner.flush();
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        return inner.receive(handler, limit);
    }

    @Override
    public boolean await(long timeoutNs) {
        return inner.await(timeoutNs);
    }

    @Override
    public void wakeup() {
        inner.wakeup();
    }

    @Override
    public LinkCounters counters() {
        return inner.counters();
    }

    @Override
    public void close() {
        inner.close();
    }
}
