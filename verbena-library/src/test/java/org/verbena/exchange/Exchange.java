package org.verbena.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.verbena.EventKind;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.ib.Reth;

/**
 * An adapter under test, connected to a peer that is the test itself. One thread; time moves only when a test says so.
 *
 * <p>The peer's numbers begin close to the end of their range, so every exchange of a few packets wraps around.
 */
public final class Exchange implements AutoCloseable {
    /** The peer's queue pair. */
    public static final int PEER_NUMBER = 0x123456;
    /** On the wire the peer's first request has this number. */
    public static final int PEER_FIRST_PSN = 0xff_fffd;
    /** Bytes of the adapter's memory. */
    public static final int MEMORY = 1 << 20;
    /** The MTU unless a test says otherwise. */
    public static final int MTU = 256;

    /** What tests begin with: MTU 256, everything else as it comes. */
    public static final ConnectionOptions USUAL = ConnectionOptions.DEFAULT.withMtu(Mtu.MTU_256);

    public final VirtualClock clock = new VirtualClock(1_000_000);
    public final InProcessNetwork network = new InProcessNetwork();
    public final Adapter adapter;
    public final ProtectionDomain domain;
    public final CompletionQueue completions;
    public final QueuePair queuePair;
    public final MemorySegment memory = Arena.ofAuto().allocate(MEMORY, 4096);
    public final Region region;

    /** What else has a turn, and says how much it did. */
    public IntSupplier beside = () -> 0;

    private final Link link = network.open();
    private final LinkPath path;
    private final Icrc icrc = new Icrc();
    private final ArrayDeque<WirePacket> arrived = new ArrayDeque<>();

    public Exchange() {
        this(USUAL);
    }

    public Exchange(ConnectionOptions how) {
        this(how, options -> options);
    }

    public Exchange(ConnectionOptions how, UnaryOperator<QueuePairOptions> made) {
        this(how, made, inner -> inner);
    }

    /** The link of the adapter is wrapped by the test. */
    public Exchange(ConnectionOptions how, UnaryOperator<QueuePairOptions> made, UnaryOperator<Link> wrapper) {
        adapter = Adapter.open(
                wrapper.apply(network.open()),
                clock,
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(7));
        domain = adapter.createProtectionDomain();
        completions = adapter.createCompletionQueue(1024);
        queuePair = adapter.createQueuePair(made.apply(QueuePairOptions.of(domain, completions)
                .withCapacity(256, 256)
                .withSegmentsMax(32)
                .withInlineMax(512)
                .withRegister(RegisterFailure.TERMINATE)));
        region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        path = link.path(adapter.endpoint(), LinkFlow.of(0));
        queuePair.connect(peerAddress(), how);
    }

    public QueuePairAddress peerAddress() {
        return new QueuePairAddress(Endpoint.of(link.local()), PEER_NUMBER, PEER_FIRST_PSN);
    }

    // --- the adapter's side

    public LocalSegment segment(long offset, long length) {
        return LocalSegment.of(region, offset, length);
    }

    /** Memory of the peer's: the address and key say where a request wanted to go, nothing is there. */
    public static RemoteMemory remote(long address) {
        return new RemoteMemory(address, 0xabcd_ef01);
    }

    /** Part of the adapter's memory, as a request of the peer's names it. */
    public Reth reth(long offset, int length) {
        return new Reth(region.address() + offset, region.key(), length);
    }

    public Exchange post(WorkRequest.Sending... requests) {
        for (WorkRequest.Sending request : requests) {
            assertEquals(true, queuePair.post(request));
        }
        run();
        return this;
    }

    public Exchange post(WorkRequest.Receive... requests) {
        for (WorkRequest.Receive request : requests) {
            assertEquals(true, queuePair.post(request));
        }
        run();
        return this;
    }

    /** Turns until nothing happens any more at this time. */
    public Exchange run() {
        for (int idle = 0; idle < 3; ) {
            int done = adapter.work(clock.nowNs()) + link.receive(this::onPacket, 1 << 16) + beside.getAsInt();
            idle = done == 0 ? idle + 1 : 0;
        }
        return this;
    }

    public Exchange advance(long durationNs) {
        clock.advance(durationNs);
        return run();
    }

    /** Time passes in small steps, each with its turns. */
    public Exchange pass(long durationNs, long stepNs) {
        for (long left = durationNs; left > 0; left -= stepNs) {
            advance(Math.min(left, stepNs));
        }
        return this;
    }

    public List<Completion> completions() {
        var all = new ArrayList<Completion>();
        for (Completion c = completions.poll(); c != null; c = completions.poll()) {
            all.add(c);
        }
        return all;
    }

    /** The one completion there is. */
    public Completion completion() {
        List<Completion> all = completions();
        assertEquals(1, all.size(), () -> "completions: " + all);
        return all.getFirst();
    }

    /** There is exactly one completion: this one. */
    public void completes(long id, Operation operation, Status status) {
        Completion found = completion();
        assertEquals(id + " " + operation + " " + status, found.id() + " " + found.operation() + " " + found.status());
    }

    /** Exactly these requests have completed, in order and well. */
    public void complete(long... ids) {
        List<Completion> all = completions();
        assertEquals(
                Arrays.stream(ids).boxed().toList(),
                all.stream().map(Completion::id).toList());
        all.forEach(c -> assertEquals(Status.SUCCESS, c.status(), c::toString));
    }

    public List<EventKind> events() {
        var all = new ArrayList<EventKind>();
        for (AsyncEvent e = adapter.events().poll();
                e != null;
                e = adapter.events().poll()) {
            all.add(e.kind());
        }
        return all;
    }

    public long counted(Counter counter) {
        return adapter.counters().value(counter);
    }

    public byte[] bytesAt(long offset, int length) {
        return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Puts a pattern into the adapter's memory and returns it. */
    public byte[] fill(long offset, int length, int seed) {
        byte[] bytes = pattern(length, seed);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, length);
        return bytes;
    }

    /** Bytes that differ from their neighbours and from other seeds' ones. */
    public static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed + i * 7 + (i >> 8));
        }
        return bytes;
    }

    // --- the peer's side

    /** The peer's link, for what is not a {@link WirePacket}. */
    public Link peerLink() {
        return link;
    }

    /** The peer sends these, in order; the adapter takes them one at a time. */
    public Exchange peerSends(WirePacket... packets) {
        for (WirePacket packet : packets) {
            put(packet);
            run();
        }
        return this;
    }

    /** The peer sends these, and all are there before the adapter looks. */
    public Exchange peerSendsAtOnce(WirePacket... packets) {
        for (WirePacket packet : packets) {
            put(packet);
        }
        return run();
    }

    private void put(WirePacket packet) {
        int first = packet.opcode().isRequest()
                ? PEER_FIRST_PSN
                : queuePair.address().firstPsn();
        peerSendsBytes(
                packet.length(),
                segment -> packet.write(
                        segment, 0, queuePair.number(), Partitions.DEFAULT_KEY, Psn.add(first, packet.psn())),
                true);
    }

    /** The peer sends bytes of the test's, sealed if told so; the adapter has not looked at them yet. */
    public void peerSendsBytes(int length, Consumer<MemorySegment> bytes, boolean sealed) {
        sendBytes(link, path, length, bytes, sealed);
    }

    /** A link of a third party sends bytes to the adapter. */
    public void sendBytes(Link from, LinkPath to, int length, Consumer<MemorySegment> bytes, boolean sealed) {
        Packet packet = from.claim(to, length);
        assertNotNull(packet);
        bytes.accept(packet.segment().asSlice(packet.offset(), length));
        if (sealed) {
            Icrc.write(packet.segment(), (long) packet.offset() + length - Icrc.LENGTH, seal(packet));
        }
        from.commit(packet);
        from.flush();
    }

    private int seal(Packet packet) {
        return icrc.compute(
                packet.bytes(),
                packet.offset(),
                packet.length() - Icrc.LENGTH,
                packet.sourceHigh(),
                packet.sourceLow(),
                packet.targetHigh(),
                packet.targetLow(),
                packet.sourcePort(),
                packet.targetPort(),
                packet.identification());
    }

    private void onPacket(Packet packet) {
        assertEquals(
                seal(packet),
                Icrc.read(packet.segment(), (long) packet.offset() + packet.length() - Icrc.LENGTH),
                "invariant CRC of what the adapter sent");
        Bth bth = Bth.read(packet.segment(), packet.offset());
        assertEquals(PEER_NUMBER, bth.destinationQueuePair());
        assertEquals(Partitions.DEFAULT_KEY, bth.pkey());
        Opcode opcode = Opcode.of(bth.opcode());
        assertNotNull(opcode);
        int first = opcode.isRequest() ? queuePair.address().firstPsn() : PEER_FIRST_PSN;
        int psn = Psn.distance(first, bth.psn());
        arrived.add(WirePacket.read(packet.segment(), packet.offset(), packet.length(), psn));
    }

    /** Everything the adapter has sent since the last look. */
    public List<WirePacket> arrived() {
        var all = new ArrayList<>(arrived);
        arrived.clear();
        return all;
    }

    /** Exactly these packets came from the adapter since the last look. */
    public Exchange adapterSends(WirePacket... expected) {
        assertEquals(List.of(expected), arrived());
        return this;
    }

    /** The packets that came, without their data, are exactly these. */
    public Exchange adapterSendsBare(WirePacket... expected) {
        assertEquals(List.of(expected), arrived().stream().map(WirePacket::bare).toList());
        return this;
    }

    public Exchange adapterIsSilent() {
        return adapterSends();
    }

    /** A region of some other domain, which the connection has nothing to do with. */
    public Region foreignRegion(Set<Right> rights) {
        return adapter.register(adapter.createProtectionDomain(), Arena.ofAuto().allocate(4096, 4096), rights);
    }

    @Override
    public void close() {
        adapter.close();
        link.close();
    }
}
