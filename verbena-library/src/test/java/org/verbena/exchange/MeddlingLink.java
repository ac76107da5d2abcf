package org.verbena.exchange;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.Path;

/** A link at which somebody decides about each packet that leaves. */
final class MeddlingLink implements Link {
    /** What becomes of a packet. */
    enum Fate {
        PASSES,
        LOST,
        DOUBLED,
        /** Leaves behind the next one, or at a time set if none comes. */
        DELAYED
    }

    private final Link inner;
    private final Function<Packet, Fate> judge;
    private final LongSupplier delayUntilNs;
    private @Nullable Path path;
    private byte @Nullable [] held;
    private @Nullable Path heldPath;
    private long heldUntilNs = Long.MAX_VALUE;

    MeddlingLink(Link inner, Function<Packet, Fate> judge, LongSupplier delayUntilNs) {
        this.inner = inner;
        this.judge = judge;
        this.delayUntilNs = delayUntilNs;
    }

    /** When what is held leaves. */
    long nextNs() {
        return heldUntilNs;
    }

    /** It leaves if it is time. */
    void release(long nowNs) {
        if (nowNs >= heldUntilNs) {
            letGo();
            inner.flush();
        }
    }

    private void letGo() {
        byte[] bytes = held;
        if (bytes != null) {
            held = null;
            heldUntilNs = Long.MAX_VALUE;
            send(bytes, Objects.requireNonNull(heldPath));
        }
    }

    private void send(byte[] bytes, Path to) {
        Packet copy = Objects.requireNonNull(inner.claim(to, bytes.length), "no room on the link");
        MemorySegment.copy(bytes, 0, copy.segment(), ValueLayout.JAVA_BYTE, copy.offset(), bytes.length);
        inner.commit(copy);
    }

    @Override
    public void commit(Packet packet) {
        Path to = Objects.requireNonNull(path);
        byte[] bytes = packet.segment().asSlice(packet.offset(), packet.length()).toArray(ValueLayout.JAVA_BYTE);
        switch (judge.apply(packet)) {
            case PASSES -> {
                inner.commit(packet);
                letGo();
            }
            case LOST -> inner.abandon(packet);
            case DOUBLED -> {
                inner.commit(packet);
                send(bytes, to);
            }
            case DELAYED -> {
                inner.abandon(packet);
                held = bytes;
                heldPath = to;
                heldUntilNs = delayUntilNs.getAsLong();
            }
        }
    }

    @Override
    public @Nullable Packet claim(Path to, int length) {
        path = to;
        return inner.claim(to, length);
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
