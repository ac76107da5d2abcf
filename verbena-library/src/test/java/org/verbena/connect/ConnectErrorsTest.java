package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.trace.Counter;
import org.verbena.verbs.AsyncEvent;

/** The failures of attempts say what happened and what was tried. */
@OverEachWire
final class ConnectErrorsTest {
    private static final int PORT = 7174;

    private final Wire wire;
    private final Sites sites;
    private final Site client;
    private final Site server;

    ConnectErrorsTest(Wire wire) {
        this.wire = wire;
        sites = new Sites(wire);
        client = sites.a;
        server = sites.b;
    }

    @AfterEach
    void close() {
        sites.close();
    }

    private ConnectFailedException failure(CompletableFuture<?> future) {
        sites.until(future::isDone);
        CompletionException wrapped = assertThrows(CompletionException.class, future::join);
        return assertInstanceOf(ConnectFailedException.class, wrapped.getCause());
    }

    private static void assertSays(Exception e, String words) {
        assertTrue(String.valueOf(e.getMessage()).contains(words), e.getMessage());
    }

    @Test
    void aCallbackThatThrowsIsCountedAndAnnounced() {
        IllegalStateException thrown = new IllegalStateException("no room in the cache");
        try (Listener listener = Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT, request -> {
            throw thrown;
        })) {
            ConnectFailedException e = failure(Connector.connectAsync(
                    client.adapter, server.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT));
            assertEquals(RejectReason.CONSUMER, e.reason());
            assertSays(e, "the listener's callback failed");
            assertSame(thrown, listener.callbackFailure());
        }
        assertEquals(1, server.adapter.counters().value(Counter.CM_CALLBACK_FAILURES));
        AsyncEvent event = server.adapter.events().poll();
        assertNotNull(event);
        assertEquals(EventKind.LISTENER_CALLBACK_FAILED, event.kind());
        assertSame(server.adapter, event.source());
    }

    @Test
    void theWordsOfARejectionAreInTheMessage() {
        try (Listener listener = Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT)) {
            var words = Connector.connectAsync(
                    client.adapter, server.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT);
            sites.get(listener.acceptAsync())
                    .reject(PrivateData.of("come tomorrow".getBytes(StandardCharsets.US_ASCII)));
            assertSays(failure(words), ": come tomorrow");
            var bytes = Connector.connectAsync(
                    client.adapter, server.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT);
            sites.get(listener.acceptAsync()).reject(PrivateData.of((byte) 'a', (byte) 27));
            String end = wire == Wire.IWARP ? RejectReason.CONSUMER.text() : ")"; // iWARP has no reason codes
            assertTrue(String.valueOf(failure(bytes).getMessage()).endsWith(end));
        }
    }

    @Test
    void aRequestThatIsVoidSaysWhy() {
        try (Listener listener = Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    client.adapter, server.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            connecting.cancel(false);
            sites.until(request::isVoid);
            ConnectFailedException e = assertThrows(
                    ConnectFailedException.class, () -> request.accept(server.queuePair(), AcceptOptions.DEFAULT));
            assertSays(e, "is void: the peer gave it up, or it had no answer for 69 s");
        }
    }

    @Test
    void anAdapterConnectsToItsOwnListener() {
        try (Listener listener = Listener.open(client.adapter, client.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    client.adapter, client.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT);
            sites.get(listener.acceptAsync()).accept(client.queuePair(), AcceptOptions.DEFAULT);
            sites.get(connecting).close();
        }
    }
}
