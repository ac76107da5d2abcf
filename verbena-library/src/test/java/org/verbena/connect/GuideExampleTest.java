package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.verbena.PrivateData;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/** The Java in the guide to connections runs, and is the Java here. */
final class GuideExampleTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "connections.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "org", "verbena", "connect", "GuideExampleTest.java");

    @Test
    void exampleConnectsAndDisconnects() throws InterruptedException {
        Link first = UdpNetwork.open(Endpoint.of("127.0.0.1", 0));
        Link second = UdpNetwork.open(Endpoint.of("127.0.0.2", first.local().port()));
        // The guide begins
        try (Adapter server = Adapter.open(first, AdapterOptions.DEFAULT.withName("server"));
                Adapter client = Adapter.open(second, AdapterOptions.DEFAULT.withName("client"));
                Listener listener = Listener.open(
                        server,
                        new InetSocketAddress(server.endpoint().address(), 7174),
                        ListenerOptions.DEFAULT,
                        request -> {
                            QueuePair theirs = queuePair(server);
                            // Post receives here: the peer may send as soon as it is accepted.
                            request.accept(theirs, AcceptOptions.DEFAULT);
                        })) {
            QueuePair mine = queuePair(client);
            byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
            Connection connection = Connector.connect(
                    client,
                    listener.address(),
                    mine,
                    ConnectorOptions.DEFAULT
                            .withPrivateData(PrivateData.of(hello))
                            .withTimeLimit(Duration.ofSeconds(10)));
            System.out.println(connection);
            connection.disconnect().join();
            System.out.println(connection);
            // The guide ends
            assertTrue(connection.awaitDisconnected(Duration.ofSeconds(10)));
            assertEquals(Connection.State.DISCONNECTED, connection.state());
        }
    }

    private static QueuePair queuePair(Adapter adapter) {
        return adapter.createQueuePair(
                QueuePairOptions.of(adapter.createProtectionDomain(), adapter.createCompletionQueue(16)));
    }

    @Test
    void theGuideShowsThisCode() throws IOException {
        assumeTrue(Files.exists(GUIDE), "no guide beside the module: not in a checkout");
        String code = Files.readString(HERE);
        String begin = "// The guide begins\n";
        String shown = code.substring(
                        code.indexOf(begin) + begin.length(), code.indexOf("            // The guide ends"))
                .stripTrailing()
                .stripIndent();
        assertTrue(Files.readString(GUIDE).contains(shown), "the guide does not show:\n" + shown);
    }
}
