package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Operation;
import org.verbena.PrivateData;
import org.verbena.ReadyMessage;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.stream.StreamUser;
import org.verbena.verbs.Completion;
import org.verbena.verbs.IwarpOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.DataAnnouncement;
import org.verbena.wire.iwarp.MpaHeader;

/** Data at connect over iWARP: bytes between the frames of MPA and the units. */
final class StreamDataTest {
    private static final int PORT = 7174;
    private static final long SECOND_NS = 1_000_000_000;

    private static PrivateData data(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return PrivateData.of(bytes);
    }

    private static final PrivateData SHORT = data(300, 1);
    private static final PrivateData LONGEST = data(Connection.DATA_MAX_BYTES, 2);

    /** Both ends of an attempt. */
    private record Attempt(CompletableFuture<Connection> here, Connection there) {}

    private static Attempt attempt(StreamSites sites, ConnectorOptions asking, AcceptOptions accepting) {
        try (Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            var here = Connector.connectAsync(sites.a.adapter, sites.b.at(PORT), sites.a.queuePair(), asking);
            Connection there = sites.get(listener.acceptAsync()).accept(sites.b.queuePair(), accepting);
            return new Attempt(here, there);
        }
    }

    private static Attempt attempt(StreamSites sites, @Nullable PrivateData clients, @Nullable PrivateData servers) {
        return attempt(sites, ConnectorOptions.DEFAULT.withData(clients), AcceptOptions.DEFAULT.withData(servers));
    }

    private static ConnectFailedException failure(StreamSites sites, CompletableFuture<?> future) {
        sites.until(future::isDone);
        CompletionException wrapped = assertThrows(CompletionException.class, future::join);
        return assertInstanceOf(ConnectFailedException.class, wrapped.getCause());
    }

    private static void assertSays(Exception e, String words) {
        assertTrue(String.valueOf(e.getMessage()).contains(words), e.getMessage());
    }

    static Stream<Arguments> exchanges() {
        IwarpOptions plain = IwarpOptions.DEFAULT;
        return Stream.of(
                Arguments.of(PrivateData.NONE, PrivateData.NONE, plain, 0),
                Arguments.of(SHORT, PrivateData.NONE, plain, 0),
                Arguments.of(PrivateData.NONE, SHORT, plain.withReady(), 0),
                Arguments.of(SHORT, LONGEST, plain, 0),
                Arguments.of(LONGEST, LONGEST, plain.withRevision(1), 1000),
                Arguments.of(LONGEST, SHORT, plain.withMarkers(true), 777),
                Arguments.of(SHORT, SHORT, plain.withReady(ReadyMessage.READ), 1),
                Arguments.of(SHORT, SHORT, plain.withReady(ReadyMessage.SEND).withCrc(false), 3));
    }

    /** Private data, receives and messages are as without the option; the units begin behind the data. */
    @ParameterizedTest
    @MethodSource("exchanges")
    void bothEndsHaveTheDataWhenTheConnectionIsEstablished(
            PrivateData clients, PrivateData servers, IwarpOptions how, int pieceMax) {
        try (StreamSites sites = new StreamSites(how, how, pieceMax)) {
            PrivateData hello = PrivateData.of((byte) 1, (byte) 2);
            Attempt attempt = attempt(
                    sites,
                    ConnectorOptions.DEFAULT
                            .withData(clients)
                            .withPrivateData(hello)
                            .withMemory(RemoteMemory.of(sites.a.region)),
                    AcceptOptions.DEFAULT.withData(servers).withPrivateData(hello));
            assertEquals(PrivateData.NONE, attempt.there.peerData());
            CompletableFuture<PrivateData> atOnce = attempt.here.thenApply(Connection::peerData);
            CompletableFuture<PrivateData> there =
                    attempt.there.whenEstablished().thenApply(Connection::peerData);
            assertEquals(servers, sites.get(atOnce));
            assertEquals(clients, sites.get(there));
            Connection here = sites.get(attempt.here);
            assertEquals(hello, here.privateData());
            assertEquals(RemoteMemory.of(sites.a.region), attempt.there.memory());
            assertEquals(hello, attempt.there.privateData().from(RemoteMemory.ENCODED_LENGTH));
            for (Site site : List.of(sites.a, sites.b)) {
                Connection own = site == sites.a ? here : attempt.there;
                assertTrue(own.queuePair().post(new WorkRequest.Receive(3, LocalSegment.of(site.region, 0, 64))));
                assertTrue(own.queuePair().post(new WorkRequest.Send(4, LocalSegment.of(site.region, 64, 8))));
            }
            for (Site site : List.of(sites.a, sites.b)) {
                List<Completion> found = new ArrayList<>();
                sites.until(() -> {
                    Completion next = site.completions.poll();
                    return next != null && found.add(next) && found.size() == 2;
                });
                found.forEach(each -> assertEquals(Status.SUCCESS, each.status()));
                assertTrue(found.stream().anyMatch(each -> each.operation() == Operation.RECEIVE));
            }
            sites.get(here.disconnect());
            sites.get(attempt.there.whenDisconnected());
            assertEquals(servers, here.peerData(), "kept after the end");
        }
    }

    @Test
    void aPeerWithoutTheOptionIsNamedWithTheRemedy() {
        try (StreamSites sites = new StreamSites()) {
            Attempt asked = attempt(sites, SHORT, null);
            ConnectFailedException e = failure(sites, asked.here);
            assertEquals(ConnectFailedException.Kind.REFUSED, e.kind());
            assertSays(e, "192.0.2.2:7174 does not take data at connect");
            assertSays(e, "Both ends need withData");
            sites.until(() -> asked.there.state() == Connection.State.DISCONNECTED);
        }
        try (StreamSites sites = new StreamSites()) {
            Attempt accepted = attempt(sites, null, SHORT);
            assertSays(failure(sites, accepted.there.whenEstablished()), "Both ends need withData");
            assertEquals(
                    ConnectFailedException.Kind.REFUSED,
                    failure(sites, accepted.here).kind());
        }
    }

    @Test
    void privateDataHaveLessRoomBesideTheAnnouncement() {
        try (StreamSites sites = new StreamSites()) {
            ConnectorOptions asking = ConnectorOptions.DEFAULT.withData(SHORT);
            String message = String.valueOf(assertThrows(
                            IllegalArgumentException.class,
                            () -> Connector.connectAsync(
                                    sites.a.adapter,
                                    sites.b.at(PORT),
                                    sites.a.queuePair(),
                                    asking.withPrivateData(data(508 - DataAnnouncement.LENGTH + 1, 3))))
                    .getMessage());
            assertTrue(message.contains("at most 496 bytes"), message);
            PrivateData longest = data(508 - DataAnnouncement.LENGTH, 3);
            Attempt attempt =
                    attempt(sites, asking.withPrivateData(longest), AcceptOptions.DEFAULT.withData(PrivateData.NONE));
            sites.get(attempt.here);
            assertEquals(longest, attempt.there.privateData());
        }
    }

    @Test
    void theAnnouncementIsThatOfTheDocument() {
        assertEquals(Connection.DATA_MAX_BYTES, DataAnnouncement.DATA_MAX_BYTES);
        PrivateData frame = new DataAnnouncement(0x10000).before(PrivateData.of((byte) 9));
        assertEquals(PrivateData.of(new byte[] {'V', 'e', 'r', 'b', 'e', 'n', 'a', 1, 0, 1, 0, 0, 9}), frame);
        assertEquals(new DataAnnouncement(0x10000), DataAnnouncement.read(frame));
        assertEquals(PrivateData.of((byte) 9), DataAnnouncement.strip(frame));
        assertNull(DataAnnouncement.read(frame.from(1)));
        assertNull(DataAnnouncement.read(frame.range(0, DataAnnouncement.LENGTH - 1)));
    }

    // --- peers that are no adapters

    /** A peer that sends a request of revision 1, and bytes behind it. */
    private static final class RawPeer implements StreamUser {
        final StreamNetwork network;
        final ByteStream stream;
        int heard;
        boolean ended;

        RawPeer(StreamSites sites, int announced) {
            network = sites.streams.open(Endpoint.of("192.0.2.3", 0).address());
            stream = network.connect(Endpoint.of("192.0.2.2", PORT), 0, this);
            stream.wants(true, false);
            PrivateData data = new DataAnnouncement(announced).before(PrivateData.NONE);
            byte[] frame = new byte[MpaHeader.LENGTH + data.length()];
            MemorySegment segment = MemorySegment.ofArray(frame);
            new MpaHeader(false, false, true, false, false, 1, data.length()).write(segment, 0);
            data.write(segment, MpaHeader.LENGTH, data.length());
            stream.write(ByteBuffer.wrap(frame));
        }

        @Override
        public void onReadable() {
            int count = stream.read(ByteBuffer.allocate(100_000));
            ended |= count < 0;
            heard += Math.max(0, count);
        }

        @Override
        public void onWritable() {}
    }

    private static Connection accept(StreamSites sites, Listener listener) {
        return sites.get(listener.acceptAsync()).accept(sites.b.queuePair(), AcceptOptions.DEFAULT.withData(SHORT));
    }

    @Test
    void anAnnouncementOfTooMuchEndsTheAttempt() {
        for (int length : new int[] {Connection.DATA_MAX_BYTES + 1, Integer.MAX_VALUE, -1}) {
            try (StreamSites sites = new StreamSites();
                    Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
                var _ = new RawPeer(sites, length);
                Connection there = accept(sites, listener);
                assertSays(failure(sites, there.whenEstablished()), "at most 65536 expected");
            }
        }
    }

    @Test
    void aPeerThatKeepsItsDataIsGivenUp() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            RawPeer peer = new RawPeer(sites, 10);
            Connection there = accept(sites, listener);
            peer.stream.write(ByteBuffer.wrap(new byte[9]));
            long beganNs = sites.clock.nowNs();
            ConnectFailedException e = failure(sites, there.whenEstablished());
            assertEquals(ConnectFailedException.Kind.TIMED_OUT, e.kind());
            assertSays(e, "the peer's data at connect did not arrive in time");
            assertEquals(15, (sites.clock.nowNs() - beganNs + SECOND_NS / 2) / SECOND_NS);
            sites.until(() -> peer.network.poll(0) >= 0 && peer.ended);
            assertEquals(MpaHeader.LENGTH + DataAnnouncement.LENGTH + SHORT.length(), peer.heard, "our data");
        }
    }

    @Test
    void aPeerThatEndsWithinItsDataIsNamed() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            RawPeer peer = new RawPeer(sites, 10);
            Connection there = accept(sites, listener);
            peer.stream.write(ByteBuffer.wrap(new byte[9]));
            peer.stream.close();
            assertSays(failure(sites, there.whenEstablished()), "the stream ended before the peer's data at connect");
            assertNotNull(there.peerData());
        }
    }
}
