package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.verbena.wire.ib.NakCode.INVALID_REQUEST;
import static org.verbena.wire.ib.NakCode.REMOTE_ACCESS_ERROR;

import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.NakCode;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** Every request that is refused for good: the NAK, the queue pair in error, an event, and nothing written. */
final class RefusalTest {
    private static final byte[] FULL = Exchange.pattern(256, 1);
    private static final byte[] SOME = Exchange.pattern(64, 2);

    /** The last of the packets is refused, the others are not. */
    record Case(String name, NakCode nak, ConnectionOptions how, Function<Exchange, WirePacket[]> packets) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case access(String name, Function<Exchange, WirePacket> packet) {
        return new Case(name, REMOTE_ACCESS_ERROR, Exchange.USUAL, wire -> new WirePacket[] {packet.apply(wire)});
    }

    private static Case invalid(String name, Function<Exchange, WirePacket[]> packets) {
        return new Case(name, INVALID_REQUEST, Exchange.USUAL, packets);
    }

    private static WirePacket[] all(WirePacket... packets) {
        return packets;
    }

    private static WirePacket write(Reth reth) {
        return WirePacket.writeOnly(0, reth, SOME);
    }

    private static Reth under(Exchange wire, int key) {
        return new Reth(wire.region.address(), key, SOME.length);
    }

    private static Reth of(Region region) {
        return new Reth(region.address(), region.key(), SOME.length);
    }

    private static Region register(Exchange wire, Right... rights) {
        return wire.adapter.register(wire.domain, Arena.ofAuto().allocate(4096, 4096), EnumSet.copyOf(List.of(rights)));
    }

    private static Region closed(Region region) {
        region.close();
        return region;
    }

    static Stream<Case> keys() {
        return Stream.of(
                access("a key of no entry", wire -> write(under(wire, wire.region.key() ^ 0x0055_0000))),
                access("key zero", wire -> write(under(wire, 0))),
                access("a key beyond the table", wire -> write(under(wire, -1))),
                access("the next instance", wire -> write(under(wire, MemoryKey.next(wire.region.key())))),
                access("a stale instance", wire -> {
                    Region region = register(wire, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
                    Reth reth = of(region);
                    region.close();
                    return write(reth);
                }),
                access("another domain", wire -> write(of(wire.foreignRegion(EnumSet.allOf(Right.class))))),
                access("no right to write", wire -> write(of(register(wire, Right.LOCAL_WRITE, Right.REMOTE_READ)))),
                access(
                        "no right to read",
                        wire -> WirePacket.readRequest(0, of(register(wire, Right.LOCAL_WRITE, Right.REMOTE_WRITE)))),
                access("no right to atomics", wire -> {
                    Region region = register(wire, Right.LOCAL_WRITE, Right.REMOTE_WRITE, Right.REMOTE_READ);
                    return WirePacket.fetchAdd(0, region.address(), region.key(), 1);
                }),
                access("a wrong key for a read", wire -> WirePacket.readRequest(0, under(wire, 0x5500))),
                access(
                        "a wrong key for a compare-and-swap",
                        wire -> WirePacket.compareSwap(0, wire.region.address(), 0x5500, 0, 1)),
                access(
                        "an invalidation of a key that is none",
                        wire -> WirePacket.send(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, 0, new byte[0])
                                .with(0x5500)),
                access(
                        "an invalidation of a key that is not to be invalidated",
                        wire -> WirePacket.send(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, 0, new byte[0])
                                .with(wire.region.key())));
    }

    static Stream<Case> bounds() {
        return Stream.of(
                access("one byte before the region", wire -> write(wire.reth(-1, SOME.length))),
                access("one byte past the region", wire -> write(wire.reth(Exchange.MEMORY - 63, SOME.length))),
                access("far past the region", wire -> write(wire.reth(1L << 40, SOME.length))),
                access(
                        "around the end of the address space",
                        wire -> write(new Reth(-8, wire.region.key(), SOME.length))),
                access(
                        "a first packet of more than there is",
                        wire -> WirePacket.writeFirst(0, wire.reth(0, Exchange.MEMORY + 1), FULL)),
                access(
                        "a read of more than there is",
                        wire -> WirePacket.readRequest(0, wire.reth(0, Exchange.MEMORY + 1))),
                access("a read of 2 GiB", wire -> WirePacket.readRequest(0, wire.reth(0, Integer.MIN_VALUE))),
                access(
                        "an atomic past the region",
                        wire -> WirePacket.fetchAdd(0, wire.region.address() + Exchange.MEMORY, wire.region.key(), 1)));
    }

    private static Window bind(Exchange wire, Window window, Region region, long length) {
        wire.post(new WorkRequest.BindWindow(
                1,
                window,
                MemoryKey.next(window.key()),
                region,
                region.address(),
                length,
                Set.of(Right.REMOTE_WRITE),
                SendOptions.SIGNALLED));
        wire.complete(1);
        return window;
    }

    static Stream<Case> windows() {
        return Stream.of(
                access(
                        "a window that was never bound",
                        wire -> write(under(
                                wire,
                                wire.adapter
                                        .createWindow(wire.domain, Window.Type.TYPE_2)
                                        .key()))),
                access("a window without the right to read", wire -> {
                    Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_1);
                    bind(wire, window, wire.region, 4096);
                    return WirePacket.readRequest(0, under(wire, window.key()));
                }),
                access("outside a window, inside its region", wire -> {
                    Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_1);
                    bind(wire, window, wire.region, SOME.length - 1);
                    return write(under(wire, window.key()));
                }),
                access("a window that was unbound", wire -> {
                    Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_1);
                    int key = bind(wire, window, wire.region, 4096).key();
                    bind(wire, window, wire.region, 0);
                    return write(under(wire, key));
                }),
                access("a window that was invalidated", wire -> {
                    Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_2);
                    int key = bind(wire, window, wire.region, 4096).key();
                    wire.post(new WorkRequest.LocalInvalidate(2, key, SendOptions.SIGNALLED));
                    wire.complete(2);
                    return write(under(wire, key));
                }),
                access("a window that was closed", wire -> {
                    Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_1);
                    int key = bind(wire, window, wire.region, 4096).key();
                    window.close();
                    return write(under(wire, key));
                }),
                access("a window whose region is gone", wire -> {
                    Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_2);
                    Region region = register(wire, Right.LOCAL_WRITE, Right.REMOTE_WRITE, Right.BIND_WINDOW);
                    bind(wire, window, region, 4096);
                    return write(new Reth(closed(region).address(), window.key(), SOME.length));
                }));
    }

    private static WirePacket middle(int psn) {
        return WirePacket.send(Opcode.RC_SEND_MIDDLE, psn, FULL);
    }

    private static WirePacket first(int psn) {
        return WirePacket.send(Opcode.RC_SEND_FIRST, psn, FULL);
    }

    static Stream<Case> sequences() {
        return Stream.of(
                invalid("a middle without a first", wire -> all(middle(0))),
                invalid("a last without a first", wire -> all(WirePacket.send(Opcode.RC_SEND_LAST, 0, SOME))),
                invalid("a first in a message", wire -> all(first(0), first(1))),
                invalid("an only in a message", wire -> all(first(0), WirePacket.sendOnly(1, SOME))),
                invalid(
                        "a write's middle in a send",
                        wire -> all(first(0), WirePacket.send(Opcode.RC_RDMA_WRITE_MIDDLE, 1, FULL))),
                invalid(
                        "a send's last in a write",
                        wire -> all(
                                WirePacket.writeFirst(0, wire.reth(0, 300), FULL),
                                WirePacket.send(Opcode.RC_SEND_LAST, 1, new byte[44]))),
                invalid("a read in a send", wire -> all(first(0), WirePacket.readRequest(1, wire.reth(0, 8)))),
                invalid(
                        "an atomic in a write",
                        wire -> all(
                                WirePacket.writeFirst(0, wire.reth(0, 300), FULL),
                                WirePacket.fetchAdd(1, wire.region.address(), wire.region.key(), 1))),
                invalid("a flush", wire -> all(WirePacket.of(Opcode.RC_FLUSH, 0).to(wire.reth(0, 8)))));
    }

    static Stream<Case> lengths() {
        return Stream.of(
                invalid(
                        "a first that is not full",
                        wire -> all(WirePacket.send(Opcode.RC_SEND_FIRST, 0, new byte[255]))),
                invalid(
                        "a middle that is not full",
                        wire -> all(first(0), WirePacket.send(Opcode.RC_SEND_MIDDLE, 1, new byte[252]))),
                invalid(
                        "a middle that is too full",
                        wire -> all(first(0), WirePacket.send(Opcode.RC_SEND_MIDDLE, 1, new byte[260]))),
                invalid(
                        "a last that is empty",
                        wire -> all(first(0), WirePacket.send(Opcode.RC_SEND_LAST, 1, new byte[0]))),
                invalid("an only of more than the MTU", wire -> all(WirePacket.sendOnly(0, new byte[257]))),
                invalid("a write of less than it said", wire -> all(WirePacket.writeOnly(0, wire.reth(0, 65), SOME))),
                invalid("a write of more than it said", wire -> all(WirePacket.writeOnly(0, wire.reth(0, 63), SOME))),
                invalid(
                        "a first packet that is all of it",
                        wire -> all(WirePacket.writeFirst(0, wire.reth(0, 256), FULL))),
                invalid(
                        "a write that ends too early",
                        wire -> all(
                                WirePacket.writeFirst(0, wire.reth(0, 400), FULL),
                                WirePacket.send(Opcode.RC_RDMA_WRITE_LAST, 1, new byte[100]))),
                invalid(
                        "a write that does not end in time",
                        wire -> all(
                                WirePacket.writeFirst(0, wire.reth(0, 512), FULL),
                                WirePacket.send(Opcode.RC_RDMA_WRITE_MIDDLE, 1, FULL))),
                invalid(
                        "a write of more than 2 GiB",
                        wire -> all(WirePacket.writeFirst(0, wire.reth(0, Integer.MIN_VALUE + 1), FULL))),
                invalid(
                        "a read of more than 2 GiB",
                        wire -> all(WirePacket.readRequest(0, wire.reth(0, Integer.MIN_VALUE + 1)))),
                invalid(
                        "a read with data",
                        wire -> all(WirePacket.readRequest(0, wire.reth(0, 8)).with(SOME))),
                invalid(
                        "an atomic with data",
                        wire -> all(WirePacket.fetchAdd(0, wire.region.address(), wire.region.key(), 1)
                                .with(SOME))),
                invalid(
                        "an atomic that is not aligned",
                        wire -> all(WirePacket.fetchAdd(0, wire.region.address() + 4, wire.region.key(), 1))));
    }

    private static Case without(Right right, String name, Function<Exchange, WirePacket> packet) {
        Set<Right> rights = EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC);
        rights.remove(right);
        return new Case(
                name, INVALID_REQUEST, Exchange.USUAL.withRemoteRights(rights), wire -> all(packet.apply(wire)));
    }

    static Stream<Case> queuePairs() {
        return Stream.of(
                without(
                        Right.REMOTE_WRITE,
                        "a write the queue pair does not allow",
                        wire -> write(wire.reth(0, SOME.length))),
                without(
                        Right.REMOTE_READ,
                        "a read the queue pair does not allow",
                        wire -> WirePacket.readRequest(0, wire.reth(0, 8))),
                without(
                        Right.REMOTE_ATOMIC,
                        "an atomic the queue pair does not allow",
                        wire -> WirePacket.fetchAdd(0, wire.region.address(), wire.region.key(), 1)));
    }

    @ParameterizedTest
    @MethodSource({"keys", "bounds", "windows", "sequences", "lengths", "queuePairs"})
    void isRefusedAndLeavesNoTrace(Case refused) {
        try (var wire = new Exchange(refused.how())) {
            wire.post(new WorkRequest.Receive(91, wire.segment(900_000, 4096)));
            wire.post(new WorkRequest.Receive(92, wire.segment(910_000, 4096)));
            WirePacket[] packets = refused.packets().apply(wire);
            WirePacket last = packets[packets.length - 1];
            for (int i = 0; i < packets.length - 1; i++) {
                wire.peerSends(packets[i]);
            }
            byte[] before = wire.bytesAt(0, Exchange.MEMORY);
            wire.adapterIsSilent();
            wire.peerSends(last.asking());
            wire.adapterSends(WirePacket.nak(last.psn(), refused.nak(), 0));
            assertArrayEquals(before, wire.bytesAt(0, Exchange.MEMORY));
            failed(wire, refused.nak());
        }
    }

    private static void failed(Exchange wire, NakCode nak) {
        assertEquals(QueuePairState.ERROR, wire.queuePair.state());
        assertEquals(
                List.of(
                        EventKind.COMMUNICATION_ESTABLISHED,
                        nak == REMOTE_ACCESS_ERROR
                                ? EventKind.QUEUE_PAIR_ACCESS_ERROR
                                : EventKind.QUEUE_PAIR_REQUEST_ERROR),
                wire.events());
        assertEquals(
                List.of(91L, 92L),
                wire.completions().stream()
                        .filter(c -> c.status() == Status.FLUSHED)
                        .map(Completion::id)
                        .toList());
        assertEquals(1, wire.counted(Counter.SENT_ERROR_NAKS));
        // From here on the queue pair takes no packets.
        wire.peerSends(WirePacket.writeOnly(0, wire.reth(0, 1), new byte[1]).asking())
                .adapterIsSilent();
    }

    @Test
    void aSendLongerThanItsReceiveIsAnInvalidRequest() {
        try (var wire = new Exchange()) {
            wire.post(new WorkRequest.Receive(5, wire.segment(0, 300)));
            wire.peerSends(first(0), middle(1).asking());
            wire.adapterSends(WirePacket.nak(1, INVALID_REQUEST, 0));
            Completion completion = wire.completion();
            assertEquals(Status.LOCAL_LENGTH_ERROR, completion.status());
            assertArrayEquals(FULL, wire.bytesAt(0, 256));
            assertArrayEquals(new byte[100], wire.bytesAt(256, 100));
        }
    }

    @Test
    void oneReadMoreThanTheResponderKeepsIsAnInvalidRequest() {
        try (var wire = new Exchange(Exchange.USUAL.withReads(1, 2))) {
            wire.peerSendsAtOnce(
                    WirePacket.readRequest(0, wire.reth(0, 8)).asking(),
                    WirePacket.fetchAdd(1, wire.region.address() + 8, wire.region.key(), 1)
                            .asking(),
                    WirePacket.readRequest(2, wire.reth(16, 8)).asking());
            wire.adapterSends(
                    WirePacket.readResponseOnly(0, 1, new byte[8]),
                    WirePacket.atomicAck(1, 2, 0),
                    WirePacket.nak(2, INVALID_REQUEST, 2));
        }
    }

    @Test
    void aRegionThatIsClosedUnderAWriteRefusesItsRest() {
        try (var wire = new Exchange()) {
            Region region = register(wire, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
            Reth reth = new Reth(region.address(), region.key(), 512);
            wire.peerSends(WirePacket.writeFirst(0, reth, FULL));
            region.close();
            wire.peerSends(WirePacket.send(Opcode.RC_RDMA_WRITE_LAST, 1, FULL).asking());
            wire.adapterSends(WirePacket.nak(1, REMOTE_ACCESS_ERROR, 0));
        }
    }

    @Test
    void aWindowOfAnotherQueuePairIsRefused() {
        try (var wire = new Exchange()) {
            var other = wire.adapter.createQueuePair(QueuePairOptions.of(wire.domain, wire.completions));
            other.connect(wire.peerAddress(), Exchange.USUAL);
            Window window = wire.adapter.createWindow(wire.domain, Window.Type.TYPE_2);
            other.post(new WorkRequest.BindWindow(
                    1,
                    window,
                    MemoryKey.next(window.key()),
                    wire.region,
                    wire.region.address(),
                    4096,
                    Set.of(Right.REMOTE_WRITE),
                    SendOptions.SIGNALLED));
            wire.run().complete(1);
            wire.peerSends(write(under(wire, window.key())).asking());
            wire.adapterSends(WirePacket.nak(0, REMOTE_ACCESS_ERROR, 0));
        }
    }
}
