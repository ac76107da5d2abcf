package org.verbena.link.support;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Sleeper;

/** A link that reaches no peer, for an adapter whose queue pairs go by streams: it has addresses, and refuses every path. */
public final class SilentLink extends MemoryLink {
    /** At these addresses. */
    public SilentLink(String name, List<Endpoint> locals) {
        super(name, List.copyOf(locals));
    }

    private LinkException refusal(Address to) {
        return new LinkException("a path for packets to " + to + " found; adapter over " + name()
                + ": a stream opened by Connector or Listener expected");
    }

    @Override
    public LinkPath path(Address remote, LinkFlow flow) {
        throw refusal(remote);
    }

    @Override
    public void join(Address group) {
        throw refusal(group);
    }

    @Override
    public void leave(Address group) {}

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        throw new IllegalArgumentException("a path of another link found");
    }

    @Override
    public void commit(Packet packet) {}

    @Override
    public void abandon(Packet packet) {}

    @Override
    public int flush() {
        return 0;
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        return 0;
    }

    @Override
    public void attach(Sleeper sleeper) {}

    @Override
    public long sleepMaxNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public void close() {}
}
