package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamKind;
import org.verbena.verbs.StreamPort;

/** Takes requests from streams of iWARP, and hands streams of other kinds over. */
final class StreamIntake implements RequestIntake, StreamPort.Visitors {
    private final Listener listener;
    private final Agent agent;
    private StreamPort.@Nullable Door door;

    StreamIntake(Listener listener, Agent agent) {
        this.listener = listener;
        this.agent = agent;
    }

    @Override
    public InetSocketAddress open(InetSocketAddress at, ListenerOptions options) {
        if (options.serviceId() != 0) {
            throw new IllegalArgumentException("service id 0x" + Long.toHexString(options.serviceId())
                    + " found, a port expected: iWARP has no service ids");
        }
        StreamPort.Door opened;
        try {
            opened = listener.adapter().streams().listen(Endpoint.of(at), options.backlog(), this);
        } catch (LinkException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        door = opened;
        agent.doors().add(this);
        return new InetSocketAddress(at.getAddress(), opened.local().port());
    }

    @Override
    public void onTaken() {
        agent.callIfOpen(this::onRoom);
    }

    @Override
    public void close() {
        StreamPort.Door opened = door;
        if (opened != null) {
            agent.doors().remove(this);
            opened.close();
        }
    }

    /** The adapter closes. */
    void onClosed() {
        listener.shut();
        close();
    }

    /** A request was answered, or has left the backlog. */
    void onRoom() {
        StreamPort.Door opened = door;
        if (opened != null) {
            opened.onRoom();
        }
    }

    @Override
    public boolean hasRoom() {
        return listener.hasRoom();
    }

    @Override
    public @Nullable StreamKind kind(Endpoint local, Endpoint remote) {
        Function<InetSocketAddress, @Nullable StreamKind> kinds =
                listener.options().streamKinds();
        if (kinds == null) {
            return null;
        }
        var found = new AtomicReference<@Nullable StreamKind>();
        listener.guard(() -> found.set(kinds.apply(new InetSocketAddress(remote.address(), remote.port()))), () -> {});
        return found.get();
    }

    @Override
    public void onRequest(StreamPort.Opening opening) {
        StreamAsking asking =
                new StreamAsking(agent, this, opening, listener.address().getPort());
        opening.owner(asking);
        listener.onRequest(new ConnectionRequest(agent, asking));
    }

    @Override
    public void onOther(StreamKind kind, ByteStream stream) {
        Consumer<IncomingStream> handler = listener.options().otherStreams();
        if (handler == null) {
            stream.close();
            return;
        }
        listener.guard(() -> handler.accept(new IncomingStream(kind, stream)), stream::close);
    }
}
