package org.verbena.connect;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.verbena.connect.protocol.Conversations;
import org.verbena.connect.protocol.Surroundings;
import org.verbena.link.Endpoint;
import org.verbena.time.Timer;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.ManagementPort;
import org.verbena.wire.ib.Gid;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.Mad;

/** The communication manager of one adapter: the protocol, with that adapter as its world. */
final class Agent implements ManagementPort.Handler, Surroundings {
    private static final int EPHEMERAL_FIRST = 0xc000;
    private static final int EPHEMERAL_COUNT = 0x4000;

    private final ManagementPort port;
    private final Conversations conversations;
    private final MemorySegment scratch = MemorySegment.ofArray(new byte[Mad.LENGTH]);

    private Agent(ManagementPort port) {
        this.port = port;
        this.conversations = new Conversations(this);
    }

    /** The adapter's, from its first use on. */
    static Agent of(Adapter adapter) {
        ManagementPort port = adapter.management();
        if (port.serve(Mad.CLASS_CM, () -> new Agent(port)) instanceof Agent agent) {
            return agent;
        }
        throw new IllegalStateException("somebody else manages the connections of " + adapter.name());
    }

    Conversations conversations() {
        return conversations;
    }

    ManagementPort port() {
        return port;
    }

    // --- addresses

    /** The adapter's address that speaks with the peer's. */
    static Endpoint localFor(Adapter adapter, InetAddress peer) {
        boolean ipv6 = new Endpoint(peer, 0).ipv6();
        return adapter.port().endpoints().stream()
                .filter(local -> local.ipv6() == ipv6)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "adapter " + adapter.name() + " has no address of the kind of " + peer.getHostAddress()
                                + "; it has " + adapter.port().endpoints()));
    }

    /** Where a peer's port receives: all of a network use the same UDP port. */
    static Endpoint remote(Adapter adapter, InetSocketAddress peer) {
        InetAddress address = peer.getAddress();
        if (address == null || address.isAnyLocalAddress()) {
            throw new IllegalArgumentException("a definite address expected; found " + peer);
        }
        return new Endpoint(address, localFor(adapter, address).port());
    }

    static Gid gid(Endpoint endpoint) {
        return new Gid(endpoint.high(), endpoint.low());
    }

    int ephemeralPort() {
        return EPHEMERAL_FIRST + port.seed().nextInt(EPHEMERAL_COUNT);
    }

    // --- the protocol's world

    @Override
    public void onMad(long nowNs, Endpoint source, MemorySegment mad) {
        conversations.receive(source, mad);
    }

    @Override
    public void onClose() {
        conversations.close();
    }

    @Override
    public void send(Endpoint to, CmMessage message, long transactionId) {
        message.writeMad(scratch, 0, transactionId);
        port.send(to, scratch);
    }

    @Override
    public void schedule(Timer timer, long deadlineNs) {
        port.schedule(timer, deadlineNs);
    }

    @Override
    public void cancel(Timer timer) {
        port.cancel(timer);
    }

    @Override
    public long nowNs() {
        return port.nowNs();
    }

    @Override
    public int random() {
        return port.seed().nextInt();
    }

    @Override
    public long guid() {
        return port.guid();
    }

    @Override
    public void count(Counter counter) {
        port.counters().add(counter);
    }
}
