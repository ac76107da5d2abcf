package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Operation;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.ReadyMessage;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamKind;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.stream.StreamUser;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.IwarpOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;

/** Connections over iWARP by the same classes as over RoCEv2: made, refused, ended, and streams of other protocols. */
final class StreamConnectTest {
    private static final int PORT = 7174;

    private static PrivateData words(String text) {
        return PrivateData.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static Completion next(Site site) {
        Completion found = site.completions.poll();
        assertNotNull(found);
        return found;
    }

    static Stream<Arguments> wires() {
        IwarpOptions plain = IwarpOptions.DEFAULT;
        return Stream.of(
                Arguments.of(plain, plain, 0),
                Arguments.of(plain.withCrc(false), plain.withCrc(false), 0),
                Arguments.of(plain.withRevision(1), plain, 3),
                Arguments.of(plain.withMarkers(true), plain.withMarkers(true).withCrc(false), 100),
                Arguments.of(plain.withReady(), plain, 0),
                Arguments.of(plain.withReady(ReadyMessage.WRITE), plain.withReady(ReadyMessage.WRITE), 7),
                Arguments.of(plain.withReady(ReadyMessage.READ), plain.withReady(), 7),
                Arguments.of(plain.withReady(ReadyMessage.SEND), plain.withReady(), 5),
                Arguments.of(plain.withReady(ReadyMessage.values()), plain, 1));
    }

    @ParameterizedTest
    @MethodSource("wires")
    void bothEndsMoveDataAndEnd(IwarpOptions ofA, IwarpOptions ofB, int pieceMax) {
        try (StreamSites sites = new StreamSites(ofA, ofB, pieceMax);
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            assertEquals(Wire.IWARP, sites.a.adapter.wire());
            QueuePair mine = sites.a.queuePair();
            QueuePair theirs = sites.b.queuePair();
            theirs.initialize(Set.of(Right.REMOTE_WRITE));
            assertTrue(theirs.post(new WorkRequest.Receive(7, LocalSegment.of(sites.b.region, 0, 64))));
            CompletableFuture<Connection> connecting = Connector.connectAsync(
                    sites.a.adapter,
                    sites.b.at(PORT),
                    mine,
                    ConnectorOptions.DEFAULT
                            .withPrivateData(words("hello"))
                            .withMemory(RemoteMemory.of(sites.a.region)));
            ConnectionRequest request = sites.get(listener.acceptAsync());
            assertEquals("192.0.2.1", request.peer().getAddress().getHostAddress());
            assertEquals(RemoteMemory.of(sites.a.region), request.memory());
            assertEquals(
                    ofA.revision() == 1 ? -1 : ConnectionOptions.DEFAULT.outstandingReads(), request.initiatorDepth());
            Connection there = request.accept(
                    theirs,
                    AcceptOptions.DEFAULT
                            .withPrivateData(words("welcome"))
                            .withMemory(RemoteMemory.of(sites.b.region)));
            Connection here = sites.get(connecting);
            sites.get(there.whenEstablished());
            assertEquals(QueuePairState.READY_TO_SEND, mine.state());
            assertEquals(QueuePairState.READY_TO_SEND, theirs.state());
            assertEquals(
                    "welcome",
                    new String(
                            here.privateData().from(RemoteMemory.ENCODED_LENGTH).bytes(), StandardCharsets.US_ASCII));

            sites.a.memory.set(ValueLayout.JAVA_LONG, 128, 0x1122334455667788L);
            assertTrue(mine.post(new WorkRequest.Write(
                    1, LocalSegment.of(sites.a.region, 128, 8), here.memory().plus(256))));
            assertTrue(mine.post(new WorkRequest.Send(2, LocalSegment.of(sites.a.region, 128, 8))));
            sites.until(() -> sites.b.memory.get(ValueLayout.JAVA_LONG, 0) != 0);
            assertEquals(0x1122334455667788L, sites.b.memory.get(ValueLayout.JAVA_LONG, 256));
            Completion received = next(sites.b);
            assertEquals(Operation.RECEIVE, received.operation());
            assertEquals(7, received.id());
            assertEquals(Status.SUCCESS, next(sites.a).status());
            assertEquals(Status.SUCCESS, next(sites.a).status());

            sites.get(here.disconnect());
            assertEquals(Connection.State.DISCONNECTED, here.state());
            sites.get(there.whenDisconnected());
            assertEquals(QueuePairState.ERROR, theirs.state());
            assertNull(sites.b.adapter.events().poll(), "an end of the peer is no failure");
        }
    }

    @Test
    void aPortWithoutListenerRefuses() {
        try (StreamSites sites = new StreamSites()) {
            QueuePair mine = sites.a.queuePair();
            var failed = assertThrows(
                    ConnectFailedException.class,
                    () -> sites.get(
                            Connector.connectAsync(sites.a.adapter, sites.b.at(PORT), mine, ConnectorOptions.DEFAULT)));
            assertEquals(ConnectFailedException.Kind.REFUSED, failed.kind());
            assertTrue(String.valueOf(failed.getMessage()).contains("7174"), failed.getMessage());
            assertEquals(QueuePairState.INIT, mine.state());
        }
    }

    @Test
    void aConsumerRejectsWithData() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(
                        sites.b.adapter,
                        sites.b.at(PORT),
                        ListenerOptions.DEFAULT,
                        request -> request.reject(words("not today")))) {
            var failed = assertThrows(
                    ConnectFailedException.class,
                    () -> sites.get(Connector.connectAsync(
                            sites.a.adapter, listener.address(), sites.a.queuePair(), ConnectorOptions.DEFAULT)));
            assertEquals(ConnectFailedException.Kind.REFUSED, failed.kind());
            assertArrayEquals(words("not today").bytes(), failed.privateData().bytes());
            assertTrue(String.valueOf(failed.getMessage()).contains("not today"));
        }
    }

    @Test
    void aListenerThatDoesNotAnswerTimesOut() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    sites.a.adapter,
                    listener.address(),
                    sites.a.queuePair(),
                    ConnectorOptions.DEFAULT.withTimeLimit(Duration.ofSeconds(3)));
            ConnectionRequest request = sites.get(listener.acceptAsync());
            var failed = assertThrows(ConnectFailedException.class, () -> sites.get(connecting));
            assertEquals(ConnectFailedException.Kind.TIMED_OUT, failed.kind());
            sites.until(request::isVoid);
            var late = assertThrows(
                    ConnectFailedException.class, () -> request.accept(sites.b.queuePair(), AcceptOptions.DEFAULT));
            assertEquals(ConnectFailedException.Kind.TIMED_OUT, late.kind());
        }
    }

    @Test
    void aFailedQueuePairEndsTheConnection() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            QueuePair mine = sites.a.queuePair();
            var connecting =
                    Connector.connectAsync(sites.a.adapter, listener.address(), mine, ConnectorOptions.DEFAULT);
            Connection there = sites.get(listener.acceptAsync()).accept(sites.b.queuePair(), AcceptOptions.DEFAULT);
            Connection here = sites.get(connecting);
            assertTrue(mine.post(new WorkRequest.Write(
                    1,
                    LocalSegment.of(sites.a.region, 0, 8),
                    RemoteMemory.of(sites.b.region).plus(4090))));
            sites.get(here.whenDisconnected());
            sites.get(there.whenDisconnected());
            assertEquals(QueuePairState.ERROR, mine.state());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_000_000_000L})
    void aSendWaitsForAReceiveAndHoldsThePeerBack(long lateNs) {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            QueuePair mine = sites.a.queuePair();
            QueuePair theirs = sites.b.queuePair();
            var connecting =
                    Connector.connectAsync(sites.a.adapter, listener.address(), mine, ConnectorOptions.DEFAULT);
            sites.get(listener.acceptAsync()).accept(theirs, AcceptOptions.DEFAULT);
            sites.get(connecting);
            sites.a.memory.set(ValueLayout.JAVA_LONG, 0, 99);
            assertTrue(mine.post(new WorkRequest.Send(1, LocalSegment.of(sites.a.region, 0, 8))));
            assertTrue(mine.post(new WorkRequest.Write(
                    2,
                    LocalSegment.of(sites.a.region, 0, 8),
                    RemoteMemory.of(sites.b.region).plus(64))));
            sites.pass(1_000_000 + lateNs);
            assertEquals(QueuePairState.READY_TO_SEND, theirs.state());
            assertEquals(0, sites.b.memory.get(ValueLayout.JAVA_LONG, 64), "the write is behind the send");
            assertTrue(theirs.post(new WorkRequest.Receive(7, LocalSegment.of(sites.b.region, 0, 64))));
            sites.pass(2_000_000);
            assertEquals(99, sites.b.memory.get(ValueLayout.JAVA_LONG, 64));
            assertEquals(7, next(sites.b).id());
        }
    }

    @Test
    void aSendWithoutAReceiveEndsTheStreamAtLast() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            QueuePair mine = sites.a.queuePair();
            var connecting =
                    Connector.connectAsync(sites.a.adapter, listener.address(), mine, ConnectorOptions.DEFAULT);
            Connection there = sites.get(listener.acceptAsync()).accept(sites.b.queuePair(), AcceptOptions.DEFAULT);
            sites.get(connecting);
            long beganNs = sites.clock.nowNs();
            assertTrue(mine.post(new WorkRequest.Send(1, LocalSegment.of(sites.a.region, 0, 8))));
            sites.get(there.whenDisconnected());
            assertEquals(10.0, (sites.clock.nowNs() - beganNs) / 1e9, 0.1);
            sites.until(() -> mine.state() == QueuePairState.ERROR);
        }
    }

    @Test
    void revision1HasNoReadyMessages() {
        IwarpOptions old = IwarpOptions.DEFAULT.withRevision(1);
        assertEquals(Set.of(), old.ready());
        for (ReadyMessage each : ReadyMessage.values()) {
            String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> old.withReady(each))
                    .getMessage());
            assertTrue(message.contains(each + "] found, none expected"), message);
        }
    }

    /** The ready message is a read; the consumers allow none. */
    @Test
    void aReadAsReadyMessageNeedsNoReadsOfTheConsumers() {
        IwarpOptions byRead = IwarpOptions.DEFAULT.withReady(ReadyMessage.READ);
        try (StreamSites sites = new StreamSites(byRead, byRead, 0);
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            ConnectionOptions none = ConnectionOptions.DEFAULT.withReads(0, 0);
            QueuePair mine = sites.a.queuePair();
            var connecting = Connector.connectAsync(
                    sites.a.adapter, listener.address(), mine, ConnectorOptions.DEFAULT.withConnection(none));
            Connection there = sites.get(listener.acceptAsync())
                    .accept(sites.b.queuePair(), AcceptOptions.DEFAULT.withConnection(none));
            sites.get(connecting);
            sites.get(there.whenEstablished());
            assertEquals(QueuePairState.READY_TO_SEND, mine.state());
        }
    }

    @Test
    void optionsThatStreamsDoNotHaveAreRefused() {
        try (StreamSites sites = new StreamSites()) {
            QueuePair mine = sites.a.queuePair();
            ConnectorOptions usual = ConnectorOptions.DEFAULT;
            for (ConnectorOptions refused : List.of(
                    usual.withServiceId(17),
                    usual.withPeerToPeer(true),
                    usual.withPrivateData(PrivateData.of(new byte[500])).withMemory(RemoteMemory.of(sites.a.region)))) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Connector.connectAsync(sites.a.adapter, sites.b.at(PORT), mine, refused));
            }
            assertEquals(QueuePairState.RESET, mine.state());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT.withServiceId(17)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> sites.a.adapter.createQueuePair(QueuePairOptions.of(sites.a.domain, sites.a.completions)
                            .withService(Service.UD)));
            assertThrows(
                    IllegalStateException.class,
                    () -> Connector.resolveAsync(sites.a.adapter, sites.b.at(PORT), usual));
        }
    }

    @Test
    void aPortIsTakenOnce() {
        try (StreamSites sites = new StreamSites()) {
            InetSocketAddress address;
            try (Listener listener = Listener.open(sites.b.adapter, sites.b.at(0), ListenerOptions.DEFAULT)) {
                address = listener.address();
                assertTrue(address.getPort() > 0);
                assertThrows(
                        IllegalStateException.class,
                        () -> Listener.open(sites.b.adapter, address, ListenerOptions.DEFAULT));
            }
            Listener.open(sites.b.adapter, address, ListenerOptions.DEFAULT).close();
        }
    }

    /** A peer that is no adapter: it sends bytes, and collects those that come. */
    private static final class RawPeer implements StreamUser {
        final StreamNetwork network;
        final ByteStream stream;
        final StringBuilder heard = new StringBuilder();
        boolean ended;

        RawPeer(StreamSites sites, Endpoint to) {
            network = sites.streams.open(Endpoint.of("192.0.2.3", 0).address());
            stream = network.connect(to, 0, this);
            stream.wants(true, false);
        }

        void say(String text) {
            stream.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
        }

        @Override
        public void onReadable() {
            ByteBuffer bytes = ByteBuffer.allocate(1000);
            int count = stream.read(bytes);
            if (count < 0) {
                ended = true;
                stream.wants(false, false);
            } else {
                heard.append(new String(bytes.array(), 0, count, StandardCharsets.ISO_8859_1));
            }
        }

        @Override
        public void onWritable() {}
    }

    private static Endpoint endpoint(Listener listener) {
        return Endpoint.of(listener.address());
    }

    @Test
    void streamsOfOtherProtocolsGoToTheirHandler() {
        var others = new ArrayList<IncomingStream>();
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(
                        sites.b.adapter,
                        sites.b.at(PORT),
                        ListenerOptions.DEFAULT.withOtherStreams(others::add),
                        request -> request.accept(sites.b.queuePair(), AcceptOptions.DEFAULT))) {
            RawPeer web = new RawPeer(sites, endpoint(listener));
            web.say("CONNECT example");
            RawPeer login = new RawPeer(sites, endpoint(listener));
            login.say("C\u0087\0\0");
            login.say("more");
            RawPeer halfKey = new RawPeer(sites, endpoint(listener));
            halfKey.say("MPA ID Rep");
            sites.until(() -> others.size() == 3);
            assertEquals(
                    List.of(StreamKind.PLAIN, StreamKind.ISCSI, StreamKind.PLAIN),
                    others.stream().map(IncomingStream::kind).toList());
            ByteBuffer bytes = ByteBuffer.allocate(100);
            assertEquals(15, others.getFirst().stream().read(bytes));
            assertEquals("CONNECT example", new String(bytes.array(), 0, 15, StandardCharsets.ISO_8859_1));
            others.getFirst().stream().write(ByteBuffer.wrap(new byte[] {'o', 'k'}));
            sites.until(() -> web.network.poll(0) >= 0 && web.heard.toString().equals("ok"));

            RawPeer silent = new RawPeer(sites, endpoint(listener));
            sites.until(() -> others.size() == 4);
            assertEquals(StreamKind.PLAIN, others.getLast().kind(), "a peer that waits for the first word");
            assertFalse(silent.ended);
            Connection here = sites.get(Connector.connectAsync(
                    sites.a.adapter, listener.address(), sites.a.queuePair(), ConnectorOptions.DEFAULT));
            assertEquals(Connection.State.ESTABLISHED, here.state(), "the listener still takes iWARP");
        }
    }

    @Test
    void withoutAHandlerOtherStreamsAreClosed() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            RawPeer web = new RawPeer(sites, endpoint(listener));
            web.say("GET /");
            sites.until(() -> web.network.poll(0) >= 0 && web.ended);
            RawPeer slow = new RawPeer(sites, endpoint(listener));
            slow.say("MPA ID Req Fr");
            long beganNs = sites.clock.nowNs();
            sites.until(() -> slow.network.poll(0) >= 0 && slow.ended);
            assertEquals(10.0, (sites.clock.nowNs() - beganNs) / 1e9, 0.1, "after the limit of the negotiation");
        }
    }

    @Test
    void addressesCanTellTheKind() {
        var others = new ArrayList<IncomingStream>();
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(
                        sites.b.adapter,
                        sites.b.at(PORT),
                        ListenerOptions.DEFAULT
                                .withOtherStreams(others::add)
                                .withStreamKinds(peer ->
                                        peer.getAddress().getHostAddress().equals("192.0.2.3")
                                                ? StreamKind.ISCSI
                                                : StreamKind.RDMA),
                        request -> request.accept(sites.b.queuePair(), AcceptOptions.DEFAULT))) {
            RawPeer silent = new RawPeer(sites, endpoint(listener));
            sites.until(() -> others.size() == 1);
            assertEquals(StreamKind.ISCSI, others.getFirst().kind());
            assertEquals("", silent.heard.toString());
            sites.get(Connector.connectAsync(
                    sites.a.adapter, listener.address(), sites.a.queuePair(), ConnectorOptions.DEFAULT));
        }
    }

    @Test
    void streamsWithoutARequestAreLimited() {
        var requests = new ArrayList<ConnectionRequest>();
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(
                        sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT.withBacklog(4), requests::add)) {
            for (int i = 0; i < 4; i++) {
                new RawPeer(sites, endpoint(listener)).say("MPA");
            }
            sites.pass(1_000_000);
            var connecting = Connector.connectAsync(
                    sites.a.adapter, listener.address(), sites.a.queuePair(), ConnectorOptions.DEFAULT);
            sites.pass(5_000_000_000L);
            assertEquals(0, requests.size(), "four streams without a request fill the backlog");
            sites.until(() -> requests.size() == 1);
            requests.getFirst().accept(sites.b.queuePair(), AcceptOptions.DEFAULT);
            sites.get(connecting);
        }
    }

    @Test
    void aCallbackThatThrowsRejects() {
        try (StreamSites sites = new StreamSites();
                Listener listener = Listener.open(
                        sites.b.adapter,
                        sites.b.at(PORT),
                        ListenerOptions.DEFAULT.withOtherStreams(stream -> {
                            throw new IllegalStateException("broken too");
                        }),
                        request -> {
                            throw new IllegalStateException("broken");
                        })) {
            assertThrows(
                    ConnectFailedException.class,
                    () -> sites.get(Connector.connectAsync(
                            sites.a.adapter, listener.address(), sites.a.queuePair(), ConnectorOptions.DEFAULT)));
            assertEquals(
                    "broken", Objects.requireNonNull(listener.callbackFailure()).getMessage());
            RawPeer web = new RawPeer(sites, endpoint(listener));
            web.say("GET /");
            sites.until(() -> web.network.poll(0) >= 0 && web.ended);
            assertEquals(
                    "broken too",
                    Objects.requireNonNull(listener.callbackFailure()).getMessage());
        }
    }
}
