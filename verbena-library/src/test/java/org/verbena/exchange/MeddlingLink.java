package org.verbena.exchange;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;

/** A link with a function that decides about each packet that leaves. */
final class MeddlingLink extends ForwardingLink {
    /** What becomes of a packet. */
    enum Fate {
        PASSES,
        LOST,
        DOUBLED,
        /** Leaves, and once more at a time set. */
        ECHOED,
        /** Leaves behind the next one, or at a time set if none comes. */
        DELAYED
    }

    private final Function<Packet, Fate> judge;
    private final LongSupplier delayUntilNs;
    private @Nullable LinkPath path;
    private byte @Nullable [] held;
    private @Nullable LinkPath heldPath;
    private long heldUntilNs = Long.MAX_VALUE;
    private boolean echo;

    MeddlingLink(Link inner, Function<Packet, Fate> judge, LongSupplier delayUntilNs) {
        super(inner);
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

    private void send(byte[] bytes, LinkPath to) {
        Packet copy = Objects.requireNonNull(inner.claim(to, bytes.length), "no room on the link");
        MemorySegment.copy(bytes, 0, copy.segment(), ValueLayout.JAVA_BYTE, copy.offset(), bytes.length);
        inner.commit(copy);
    }

    @Override
    public void commit(Packet packet) {
        LinkPath to = Objects.requireNonNull(path);
        byte[] bytes =
                packet.segment().asSlice(packet.offset(), packet.length()).toArray(ValueLayout.JAVA_BYTE);
        switch (judge.apply(packet)) {
            case PASSES -> {
                inner.commit(packet);
                if (!echo) {
                    letGo();
                }
            }
            case LOST -> inner.abandon(packet);
            case DOUBLED -> {
                inner.commit(packet);
                send(bytes, to);
            }
            case ECHOED -> {
                inner.commit(packet);
                hold(bytes, to, true);
            }
            case DELAYED -> {
                inner.abandon(packet);
                hold(bytes, to, false);
            }
        }
    }

    private void hold(byte[] bytes, LinkPath to, boolean whateverComes) {
        held = bytes;
        heldPath = to;
        heldUntilNs = delayUntilNs.getAsLong();
        echo = whateverComes;
    }

    @Override
    public @Nullable Packet claim(LinkPath to, int length) {
        path = to;
        return inner.claim(to, length);
    }
}
