package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.trace.Counter;
import org.verbena.verbs.AsyncEvent;

/** The failures of attempts say what happened and what was tried. */
final class ConnectErrorsTest {
    private static final int PORT = 7174;

    private final Sites sites = new Sites();
    private final Site client = sites.a;
    private final Site server = sites.b;

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
            assertTrue(String.valueOf(failure(bytes).getMessage()).endsWith(")"));
        }
    }

    @Test
    void aSilentAddressIsNamedWithWhatWasTried() {
        InetSocketAddress silent = new InetSocketAddress("10.0.0.77", PORT);
        ConnectorOptions options =
                ConnectorOptions.DEFAULT.withTimeLimit(Duration.ofSeconds(9)).withPeerPort(4800);
        ConnectFailedException limit =
                failure(Connector.connectAsync(client.adapter, silent, client.queuePair(), options));
        assertEquals(ConnectFailedException.Kind.TIMED_OUT, limit.kind());
        assertSays(limit, "10.0.0.77:7174");
        assertSays(limit, "2 messages to UDP port 4800 of 10.0.0.77 in 9000 ms");
        assertSays(limit, "withPeerPort");
        ConnectFailedException retries =
                failure(Connector.connectAsync(client.adapter, silent, client.queuePair(), options.withRetries(3, 10)));
        assertSays(retries, "4 messages to UDP port 4800 of 10.0.0.77 in ");
        ConnectFailedException question = failure(Connector.resolveAsync(client.adapter, silent, options));
        assertSays(question, "to UDP port 4800 of 10.0.0.77 in 9000 ms");
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
    void aRequestToOneselfIsSaid() {
        ConnectFailedException e = failure(
                Connector.connectAsync(client.adapter, client.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT));
        assertEquals(ConnectFailedException.Kind.REFUSED, e.kind());
        assertEquals(RejectReason.INVALID_SERVICE_ID, e.reason());
        assertSays(e, "this adapter itself");
        assertSays(e, "withPeerPort");
        ConnectFailedException question =
                failure(Connector.resolveAsync(client.adapter, client.at(PORT), ConnectorOptions.DEFAULT));
        assertSays(question, "this adapter itself");
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
