package org.verbena.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link around another one: forwards every call. A subclass overrides the calls that it changes. Closing it closes the inner link. */
public abstract class ForwardingLink implements Link {
    /** The link that calls are forwarded to. */
    protected final Link inner;

    /** Wraps a link. */
    protected ForwardingLink(Link inner) {
        this.inner = inner;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Framing framing() {
        return inner.framing();
    }

    @Override
    public List<? extends Address> locals() {
        return inner.locals();
    }

    @Override
    public boolean carriesRaw() {
        return inner.carriesRaw();
    }

    @Override
    public int packetMax() {
        return inner.packetMax();
    }

    @Override
    public List<Integer> partitions() {
        return inner.partitions();
    }

    @Override
    public LinkPath path(Address remote, LinkFlow flow) {
        return inner.path(remote, flow);
    }

    @Override
    public void join(Address group) {
        inner.join(group);
    }

    @Override
    public void leave(Address group) {
        inner.leave(group);
    }

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        return inner.claim(path, length);
    }

    @Override
    public @Nullable Packet claimOrDrop(LinkPath path, int length) {
        return inner.claimOrDrop(path, length);
    }

    @Override
    public @Nullable Packet claimRaw(LinkPath path, int length) {
        return inner.claimRaw(path, length);
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
    public void attach(Sleeper sleeper) {
        inner.attach(sleeper);
    }

    @Override
    public long sleepMaxNs() {
        return inner.sleepMaxNs();
    }

    @Override
    public @Nullable Address takeRefusal() {
        return inner.takeRefusal();
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
