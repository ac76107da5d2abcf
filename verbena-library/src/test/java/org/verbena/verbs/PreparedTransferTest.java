package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.SmallHypervisor;
import org.verbena.memory.protection.Quiescence;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;
import org.verbena.queue.RingMemory;
import org.verbena.queue.SendSlot;

/** A prepared transfer is posted as the equal record is: the same bytes, the same refusals, the same effect. */
@OverEachWire
final class PreparedTransferTest {
    private static final int IMMEDIATE = 0x8000_0007;
    private static final List<SendOptions> OPTIONS = List.of(
            SendOptions.SIGNALLED,
            SendOptions.UNSIGNALLED,
            SendOptions.UNSIGNALLED.withFence(),
            SendOptions.SIGNALLED.withSolicited());

    private final Pair pair;
    private final Node a;
    private final Node b;

    PreparedTransferTest(Wire wire) {
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
    }

    @AfterEach
    void close() {
        pair.close();
    }

    // --- the same bytes

    /** A kind of transfer, and the record that is equal to a part of it. */
    private record Kind(PreparedTransfer transfer, Service service, boolean remote, boolean immediate, Equal equal) {}

    private interface Equal {
        WorkRequest.Sending record(long id, LocalSegment[] part, RemoteMemory memory, SendOptions options);
    }

    private List<Kind> connected() {
        RemoteMemory there = b.remote(64);
        return List.of(
                new Kind(
                        PreparedTransfer.send(a.region),
                        Service.RC,
                        false,
                        false,
                        (id, part, _, options) -> new WorkRequest.Send(id, Payload.of(part), options)),
                new Kind(
                        PreparedTransfer.sendWithImmediate(a.region),
                        Service.UC,
                        false,
                        true,
                        (id, part, _, options) ->
                                new WorkRequest.SendWithImmediate(id, Payload.of(part), IMMEDIATE, options)),
                new Kind(
                        PreparedTransfer.write(a.region, there),
                        Service.RC,
                        true,
                        false,
                        (id, part, memory, options) -> new WorkRequest.Write(id, Payload.of(part), memory, options)),
                new Kind(
                        PreparedTransfer.writeWithImmediate(a.region, there),
                        Service.RC,
                        true,
                        true,
                        (id, part, memory, options) ->
                                new WorkRequest.WriteWithImmediate(id, Payload.of(part), memory, IMMEDIATE, options)),
                new Kind(
                        PreparedTransfer.read(a.region, there),
                        Service.RC,
                        true,
                        false,
                        (id, part, memory, options) -> new WorkRequest.Read(id, List.of(part), memory, options)));
    }

    private List<Kind> datagrams(AddressHandle to) {
        return List.of(
                new Kind(
                        PreparedTransfer.datagram(a.region, to, 0x12_3456, 7),
                        Service.UD,
                        false,
                        false,
                        (id, part, _, options) ->
                                new WorkRequest.SendDatagram(id, Payload.of(part), to, 0x12_3456, 7, options)),
                new Kind(
                        PreparedTransfer.datagramWithImmediate(a.region, to, WorkRequest.MULTICAST, 0x8000_0001),
                        Service.UD,
                        false,
                        true,
                        (id, part, _, options) -> new WorkRequest.SendDatagramWithImmediate(
                                id, Payload.of(part), to, WorkRequest.MULTICAST, 0x8000_0001, IMMEDIATE, options)));
    }

    private static Ring usedRing() {
        Ring ring = Ring.create(
                RingMemory.LOCAL.allocate(Ring.lengthOf(2, SendSlot.length(4, 64))),
                RingKind.SEND,
                2,
                SendSlot.length(4, 64));
        ring.memory().asSlice(Ring.HEADER_LENGTH).fill((byte) 0xa5); // whatever an earlier request has left
        return ring;
    }

    private void postsTheSameBytes(Kind kind, long localOffset, long length, long remoteOffset, SendOptions options) {
        PostRules rules = new PostRules(kind.service, 4, 64, a.domain, false);
        LocalSegment[] part = length == 0 ? new LocalSegment[0] : new LocalSegment[] {a.segment(localOffset, length)};
        Ring records = usedRing();
        Ring transfers = usedRing();
        assertTrue(WorkEncoder.post(
                records,
                kind.equal.record(9, part, b.remote(64 + remoteOffset), options),
                rules,
                PostMemory.ofRegions()));
        assertTrue(TransferEncoder.post(
                transfers,
                kind.transfer,
                9,
                localOffset,
                length,
                kind.remote ? remoteOffset : 0,
                kind.immediate ? IMMEDIATE : 0,
                options,
                rules,
                PostMemory.ofRegions()));
        assertEquals(
                -1,
                records.memory().mismatch(transfers.memory()),
                () -> "first difference of " + kind.transfer + ", " + length + " bytes, " + options);
    }

    private void postsTheSameBytes(List<Kind> kinds) {
        for (Kind kind : kinds) {
            for (SendOptions options : OPTIONS) {
                postsTheSameBytes(kind, 0, 0, 0, options);
                postsTheSameBytes(kind, 1, 1, -3, options);
                postsTheSameBytes(kind, 4000, 1000, 1L << 40, options);
            }
            if (kind.service != Service.UD) {
                postsTheSameBytes(kind, 0, a.region.length(), 0, SendOptions.SIGNALLED);
            }
        }
    }

    @Test
    void aPartOfATransferBecomesTheBytesOfTheEqualRecord() {
        postsTheSameBytes(connected());
    }

    @Test
    void aPartOfADatagramBecomesTheBytesOfTheEqualRecord() {
        if (!a.lacks(Service.UD)) {
            postsTheSameBytes(datagrams(a.adapter.createAddressHandle(a.domain, b.adapter.endpoint())));
        }
    }

    // --- the same effect

    private static void fill(Node node, int seed) {
        for (int i = 0; i < 4096; i++) {
            node.memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + seed));
        }
    }

    private static void assertMoved(Node from, long fromOffset, Node to, long toOffset, long length) {
        assertEquals(
                -1,
                MemorySegment.mismatch(
                        from.memory, fromOffset, fromOffset + length, to.memory, toOffset, toOffset + length));
    }

    private List<Completion> done(Node node) {
        pair.run();
        List<Completion> all = node.drain();
        all.forEach(one -> assertEquals(Status.SUCCESS, one.status()));
        return all;
    }

    @Test
    void sendsReachTheReceivesOfThePeer() {
        fill(a, 1);
        PreparedTransfer send = PreparedTransfer.send(a.region);
        long[] lengths = {0, 1, 100, 1500};
        for (int i = 0; i < lengths.length; i++) {
            assertTrue(b.queuePair.post(new WorkRequest.Receive(i, b.segment(8192, 2000))));
            assertTrue(a.queuePair.post(send, 40 + i, i, lengths[i], 0, 0, SendOptions.SIGNALLED));
            assertEquals(40 + i, done(a).getFirst().id());
            assertEquals(lengths[i], done(b).getFirst().byteLength());
            assertMoved(a, i, b, 8192, lengths[i]);
        }
    }

    @Test
    void writesAndReadsMoveThePartThatIsNamed() {
        fill(a, 2);
        fill(b, 3);
        PreparedTransfer write = PreparedTransfer.write(a.region, b.remote(8192));
        PreparedTransfer announced = PreparedTransfer.writeWithImmediate(a.region, b.remote(8192));
        PreparedTransfer read = PreparedTransfer.read(a.region, b.remote(0));
        assertTrue(b.queuePair.post(new WorkRequest.Receive(5)));
        assertTrue(a.queuePair.post(write, 1, 10, 300, 20, 0, SendOptions.SIGNALLED));
        assertTrue(a.queuePair.post(announced, 2, 1000, 1500, 4096, IMMEDIATE, SendOptions.SIGNALLED));
        assertTrue(a.queuePair.post(read, 3, 16384, 700, 5, 0, SendOptions.SIGNALLED));
        assertEquals(List.of(1L, 2L, 3L), done(a).stream().map(Completion::id).toList());
        Completion told = done(b).getFirst();
        assertEquals(IMMEDIATE, told.immediate());
        assertEquals(1500, told.byteLength());
        assertMoved(a, 10, b, 8192 + 20, 300);
        assertMoved(a, 1000, b, 8192 + 4096, 1500);
        assertMoved(b, 5, a, 16384, 700);
    }

    @Test
    void datagramsReachTheQueuePairThatTheyAreFor() {
        if (a.lacks(Service.UD)) {
            return;
        }
        try (Pair datagrams = new Pair(1 << 20, 64, Service.UD)) {
            Node from = datagrams.a;
            Node to = datagrams.b;
            from.queuePair.activate(DatagramOptions.of(7));
            to.queuePair.activate(DatagramOptions.of(7));
            fill(from, 4);
            AddressHandle handle = from.adapter.createAddressHandle(from.domain, to.adapter.endpoint());
            PreparedTransfer transfer =
                    PreparedTransfer.datagramWithImmediate(from.region, handle, to.queuePair.number(), 7);
            assertTrue(to.queuePair.post(new WorkRequest.Receive(1, to.segment(0, 2000))));
            assertTrue(from.queuePair.post(transfer, 1, 33, 500, 0, IMMEDIATE, SendOptions.SIGNALLED));
            datagrams.run();
            Completion received = to.drain().getFirst();
            assertEquals(IMMEDIATE, received.immediate());
            assertMoved(from, 33, to, DatagramHeader.LENGTH, 500);
        }
    }

    @Test
    void aPartIsCountedAsAnOperationOnItsRegionUntilItIsDone() {
        Region swappable = a.adapter.register(
                a.domain,
                SmallHypervisor.open().host().allocateWired(8192),
                0,
                EnumSet.allOf(Right.class),
                CurrentIoOptions.of(CurrentIo.Mode.LIBRARY));
        PreparedTransfer write = PreparedTransfer.write(swappable, b.remote(0));
        assertTrue(a.queuePair.post(write, 1, 0, 8, 0, 0, SendOptions.SIGNALLED));
        assertTrue(a.queuePair.post(write, 2, 8, 0, 0, 0, SendOptions.SIGNALLED));
        assertEquals(1, swappable.currentIo().operations());
        assertEquals(2, done(a).size());
        assertEquals(0, swappable.currentIo().operations());
        assertTrue(Quiescence.request(swappable));
        assertThrows(QuiescingException.class, () -> a.queuePair.post(write, 3, 0, 8, 0, 0, SendOptions.SIGNALLED));
        assertTrue(Quiescence.complete(swappable));
        assertTrue(Quiescence.resume(swappable));
        assertTrue(a.queuePair.post(write, 4, 0, 8, 0, 0, SendOptions.SIGNALLED));
        assertEquals(4, done(a).getFirst().id());
    }

    // --- the same refusals

    private void refused(Class<? extends RuntimeException> type, String message, Executable post) {
        assertEquals(message, assertThrows(type, post).getMessage());
        // The queue takes the next request.
        PreparedTransfer write = PreparedTransfer.write(a.region, b.remote(0));
        assertTrue(a.queuePair.post(write, 77, 0, 8, 0, 0, SendOptions.SIGNALLED));
        assertEquals(List.of(77L), done(a).stream().map(Completion::id).toList());
    }

    private void refusedPart(String found, long offset, long length) {
        PreparedTransfer write = PreparedTransfer.write(a.region, b.remote(0));
        refused(
                IllegalArgumentException.class,
                "a part of the " + a.region.length() + " bytes of the region expected; found " + found,
                () -> a.queuePair.post(write, 1, offset, length, 0, 0, SendOptions.SIGNALLED));
    }

    @Test
    void aPartThatDoesNotLieWithinTheRegion() {
        long end = a.region.length();
        refusedPart("1 bytes from offset -1 on", -1, 1);
        refusedPart("-1 bytes from offset 1 on", 1, -1);
        refusedPart("2 bytes from offset " + (end - 1) + " on", end - 1, 2);
        refusedPart("0 bytes from offset " + (end + 1) + " on", end + 1, 0);
        refusedPart(Long.MAX_VALUE + " bytes from offset 1 on", 1, Long.MAX_VALUE);
        refusedPart("1 bytes from offset " + Long.MAX_VALUE + " on", Long.MAX_VALUE, 1);
    }

    @Test
    void aRegionThatIsClosed() {
        Region region = a.adapter.register(a.domain, a.memory, EnumSet.allOf(Right.class));
        PreparedTransfer write = PreparedTransfer.write(region, b.remote(0));
        region.close();
        String asARecord = String.valueOf(assertThrows(IllegalStateException.class, () -> LocalSegment.of(region, 0, 8))
                .getMessage());
        refused(
                IllegalStateException.class,
                asARecord,
                () -> a.queuePair.post(write, 1, 0, 8, 0, 0, SendOptions.SIGNALLED));
    }

    @Test
    void valuesThatATransferHasNoPlaceFor() {
        PreparedTransfer send = PreparedTransfer.send(a.region);
        refused(
                IllegalArgumentException.class,
                "remote offset 0 expected, as SEND names no memory of the peer; found 8",
                () -> a.queuePair.post(send, 1, 0, 8, 8, 0, SendOptions.SIGNALLED));
        refused(
                IllegalArgumentException.class,
                "immediate data 0 expected, as SEND carries none; found 0xff",
                () -> a.queuePair.post(send, 1, 0, 8, 0, 255, SendOptions.SIGNALLED));
    }

    @Test
    void aKindThatTheServiceHasNot() {
        if (a.lacks(Service.UD)) {
            return;
        }
        AddressHandle to = a.adapter.createAddressHandle(a.domain, b.adapter.endpoint());
        PreparedTransfer datagram = PreparedTransfer.datagram(a.region, to, 1, 7);
        refused(
                IllegalArgumentException.class,
                "service RC has no datagrams; post Send",
                () -> a.queuePair.post(datagram, 1, 0, 8, 0, 0, SendOptions.SIGNALLED));
        try (Pair datagrams = new Pair(1 << 20, 64, Service.UD)) {
            Node node = datagrams.a;
            node.queuePair.activate(DatagramOptions.of(7));
            PreparedTransfer send = PreparedTransfer.send(node.region);
            String none = assertThrows(
                            IllegalArgumentException.class,
                            () -> node.queuePair.post(send, 1, 0, 8, 0, 0, SendOptions.SIGNALLED))
                    .getMessage();
            assertEquals("service UD has no SEND; post SendDatagram or SendDatagramWithImmediate", none);
            refusedDatagrams(node, datagrams.b);
        }
    }

    private static void refusedDatagrams(Node node, Node peer) {
        AddressHandle handle = node.adapter.createAddressHandle(node.domain, peer.adapter.endpoint());
        PreparedTransfer known = PreparedTransfer.datagram(node.region, handle, 1, 7);
        int most = node.adapter.port().mtu().bytes();
        assertTrue(node.queuePair.post(known, 1, 0, most, 0, 0, SendOptions.SIGNALLED));
        String tooLong = assertThrows(
                        IllegalArgumentException.class,
                        () -> node.queuePair.post(known, 1, 0, most + 1, 0, 0, SendOptions.SIGNALLED))
                .getMessage();
        assertEquals("a datagram has at most the " + most + " bytes of the port's MTU; found " + (most + 1), tooLong);
        handle.close();
        assertThrows(
                IllegalStateException.class, () -> node.queuePair.post(known, 1, 0, 8, 0, 0, SendOptions.SIGNALLED));
        String number = assertThrows(
                        IllegalArgumentException.class,
                        () -> PreparedTransfer.datagram(node.region, handle, 1 << 24, 7))
                .getMessage();
        assertEquals("a queue pair's number has 24 bits; found 0x1000000", number);
    }

    @Test
    void aStateThatTakesNoSendsAndAQueueThatIsFull() {
        PreparedTransfer write = PreparedTransfer.write(a.region, b.remote(0));
        QueuePair fresh = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.completions));
        String state = assertThrows(
                        IllegalStateException.class, () -> fresh.post(write, 1, 0, 8, 0, 0, SendOptions.SIGNALLED))
                .getMessage();
        assertEquals("queue pair " + fresh.number() + " is RESET and takes no sends: connect it first", state);
        List<Long> posted = new ArrayList<>();
        for (long i = 0; i < 64; i++) {
            assertTrue(a.queuePair.post(write, i, i, 8, i, 0, SendOptions.SIGNALLED));
            posted.add(i);
        }
        assertFalse(a.queuePair.post(write, 64, 0, 8, 0, 0, SendOptions.SIGNALLED));
        assertEquals(posted, done(a).stream().map(Completion::id).toList());
        assertTrue(a.queuePair.post(write, 64, 0, 8, 0, 0, SendOptions.SIGNALLED));
    }
}
