package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;

/** The program in the guide "Keys through the send queue" runs, and is the code here. */
final class KeysExampleTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "keys.md");
    private static final Path HERE = Path.of("src", "test", "java", "org", "verbena", "verbs", "KeysExampleTest.java");

    @Test
    void exampleHandsMemoryOverAndGetsItBack() throws InterruptedException {
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Adapter there = Adapter.open(loopback);
                Adapter here = Adapter.open(loopback)) {
            // The guide begins
            CompletionQueue servers = there.createCompletionQueue(16);
            QueuePair server =
                    there.createQueuePair(QueuePairOptions.of(servers).withRegister(RegisterFailure.DRAIN));
            CompletionQueue clients = here.createCompletionQueue(16);
            QueuePair client = here.createQueuePair(QueuePairOptions.of(clients));
            server.connect(client.address(), ConnectionOptions.DEFAULT);
            client.connect(server.address(), ConnectionOptions.DEFAULT);
            MemorySegment message = here.arena().allocate(RemoteMemory.ENCODED_LENGTH);
            boolean posted = client.post(new WorkRequest.Receive(1, message));

            // The server puts memory behind a key, tells the client, and awaits its answer.
            Region region = there.reserve(there.defaultDomain(), 16);
            MemorySegment target = there.arena().allocate(100);
            PreparedMemory memory = PreparedMemory.of(target, Set.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
            int key = MemoryKey.next(region.key());
            Payload told = Payload.inline(memory.remote(key).encode());
            posted &= server.post(new WorkRequest.Receive(2));
            posted &= server.post(new WorkRequest.RegisterAndSend(3, key, memory, told, SendOptions.UNSIGNALLED));

            // The client writes into the memory, and its answer takes the key back.
            Completion offered = posted ? clients.poll(Duration.ofSeconds(5)) : null;
            RemoteMemory theirs = RemoteMemory.decode(message.asByteBuffer());
            posted &= client.post(new WorkRequest.Write(4, here.arena().allocateFrom("as asked"), theirs));
            posted &= client.post(
                    new WorkRequest.SendWithInvalidate(5, Payload.of(), theirs.key(), SendOptions.UNSIGNALLED));

            // The server owns its memory again: no peer reaches it.
            Completion answered = posted ? servers.poll(Duration.ofSeconds(5)) : null;
            System.out.println(answered + ": " + target.getString(0) + ", valid: " + region.isValid());
            // The guide ends
            assertTrue(offered != null && offered.status().success());
            assertTrue(answered != null && answered.status().success());
            assertEquals(Integer.valueOf(key), answered.invalidatedKey());
            assertEquals("as asked", target.getString(0));
            assertFalse(region.isValid());
        }
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
        assertTrue(
                Files.readString(GUIDE).contains("```java\n" + shown + "\n```"), "the guide does not show:\n" + shown);
    }
}
