package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** The client in the README runs, and is the code here. */
final class ReadmeExampleTest {
    private static final Path README = Path.of("..", "README.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "org", "verbena", "connect", "ReadmeExampleTest.java");

    @Test
    void theClientWritesIntoTheServersMemory() throws InterruptedException {
        Link link = UdpNetwork.open(Endpoint.of("127.0.0.1", 0));
        InetSocketAddress here = new InetSocketAddress("127.0.0.2", link.local().port());
        try (Adapter peer = Adapter.open(link, AdapterOptions.DEFAULT.withName("server"));
                Arena arena = Arena.ofShared()) {
            ProtectionDomain servers = peer.createProtectionDomain();
            CompletionQueue served = peer.createCompletionQueue(16);
            MemorySegment memory = arena.allocateFrom("written into your memory");
            MemorySegment theirs = arena.allocate(memory.byteSize());
            Region granted = peer.register(servers, theirs, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
            RemoteMemory target = RemoteMemory.of(granted);
            try (Listener listener = Listener.open(
                    peer,
                    new InetSocketAddress(peer.endpoint().address(), 7174),
                    ListenerOptions.DEFAULT,
                    request -> request.accept(
                            peer.createQueuePair(QueuePairOptions.of(servers, served)), AcceptOptions.DEFAULT))) {
                InetSocketAddress server = listener.address();
                // README begins
                try (Adapter adapter = Adapter.open(here)) {
                    CompletionQueue completions = adapter.createCompletionQueue(16);
                    QueuePair queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
                    Connector.connect(adapter, server, queuePair, ConnectorOptions.DEFAULT);
                    boolean posted = queuePair.post(new WorkRequest.Write(1, memory, target)); // any native memory
                    System.out.println(posted ? completions.poll(Duration.ofSeconds(5)) : "the send queue is full");
                }
                // README ends
            }
            assertEquals("written into your memory", theirs.getString(0));
        }
    }

    @Test
    void theReadmeShowsThisCode() throws IOException {
        assumeTrue(Files.exists(README), "no README beside the module: not in a checkout");
        String code = Files.readString(HERE);
        String begin = "// README begins\n";
        String shown = code.substring(
                        code.indexOf(begin) + begin.length(), code.indexOf("                // README ends"))
                .stripTrailing()
                .stripIndent();
        assertTrue(
                Files.readString(README).contains("```java\n" + shown + "\n```"),
                "the README has other Java than:\n" + shown);
    }
}
