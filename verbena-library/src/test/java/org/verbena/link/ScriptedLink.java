package org.verbena.link;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A link whose other end is the test: it has any address the test likes, delivers what the test puts in and keeps what
 * is sent. Packets leave with identification 0; those put in have theirs, which like a socket it does not show.
 */
public final class ScriptedLink implements Link {
    private final Endpoint local;
    private final LinkCounters counters = new LinkCounters();
    private final Packet outbound = new Packet();
    private final Packet inbound = new Packet();
    private final ArrayDeque<Sent> waiting = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();
    private int sourcePort = 0xc000;

    /** A packet, BTH to invariant CRC, and where it came from and went to. */
    public record Sent(Endpoint source, Endpoint target, ByteBuffer bytes) {}

    private record ScriptedPath(Address remote, Endpoint source, LinkFlow flow) implements LinkPath {}

    public ScriptedLink(Endpoint local) {
        this.local = local;
        ByteBuffer memory = ByteBuffer.allocateDirect(Packet.LENGTH_MAX);
        outbound.in(MemorySegment.ofBuffer(memory), memory);
    }

    /** The source port of paths from now on, whatever their flow. */
    public void sourcePort(int port) {
        sourcePort = port;
    }

    /** The packet will be delivered. */
    public void put(Endpoint source, Endpoint target, ByteBuffer bytes) {
        waiting.add(new Sent(source, target, bytes));
    }

    /** What was sent since the last look. */
    public List<Sent> sent() {
        var all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public Framing framing() {
        return Framing.ROCE_V2;
    }

    @Override
    public List<Endpoint> locals() {
        return List.of(local);
    }

    @Override
    public int packetMax() {
        return Packet.LENGTH_MAX;
    }

    @Override
    public LinkPath path(Address remote, LinkFlow flow) {
        return new ScriptedPath(remote, local.withPort(sourcePort), flow);
    }

    @Override
    public void join(Address group) {}

    @Override
    public void leave(Address group) {}

    @Override
    public @Nullable Packet claim(LinkPath path, int length) {
        return outbound.at(0, length, 0)
                .from(local.high(), local.low(), path.source().port())
                .to(path.remote().high(), path.remote().low(), path.remote().port());
    }

    @Override
    public void commit(Packet packet) {
        ByteBuffer copy = ByteBuffer.allocate(packet.length());
        copy.put(0, packet.bytes(), packet.offset(), packet.length());
        sent.add(new Sent(
                Endpoint.of(packet.sourceHigh(), packet.sourceLow(), packet.sourcePort()),
                Endpoint.of(packet.targetHigh(), packet.targetLow(), packet.targetPort()),
                copy));
    }

    @Override
    public void abandon(Packet packet) {}

    @Override
    public int flush() {
        return 0;
    }

    @Override
    public int receive(PacketHandler handler, int limit) {
        int done = 0;
        for (Sent next = waiting.poll(); next != null && done < limit; next = waiting.poll()) {
            ByteBuffer memory = ByteBuffer.allocateDirect(next.bytes().capacity());
            memory.put(0, next.bytes(), 0, next.bytes().capacity());
            inbound.in(MemorySegment.ofBuffer(memory), memory)
                    .at(0, memory.capacity(), 0)
                    .from(
                            next.source().high(),
                            next.source().low(),
                            next.source().port())
                    .to(next.target().high(), next.target().low(), next.target().port());
            handler.onPacket(inbound);
            done++;
        }
        return done;
    }

    @Override
    public void attach(Sleeper sleeper) {}

    @Override
    public long sleepMaxNs() {
        return waiting.isEmpty() ? Long.MAX_VALUE : 0;
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public void close() {}
}
