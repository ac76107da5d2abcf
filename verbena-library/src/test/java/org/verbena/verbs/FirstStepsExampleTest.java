package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.memory.Region;

/** The program in the guide "First steps" runs, and is the code here. */
final class FirstStepsExampleTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "first-steps.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "org", "verbena", "verbs", "FirstStepsExampleTest.java");

    @Test
    void exampleWritesIntoTheOtherAdaptersMemory() throws InterruptedException {
        // The guide begins
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Adapter here = Adapter.open(loopback);
                Adapter there = Adapter.open(loopback)) {
            CompletionQueue completions = here.createCompletionQueue(16);
            QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
            QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
            queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
            other.connect(queuePair.address(), ConnectionOptions.DEFAULT);

            MemorySegment source = here.arena().allocateFrom("written into your memory");
            MemorySegment target = there.arena().allocate(source.byteSize());
            Region remote = there.register(target, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
            boolean posted = queuePair.post(new WorkRequest.Write(1, source, RemoteMemory.of(remote)));
            Completion completion = posted ? completions.poll(Duration.ofSeconds(5)) : null;
            System.out.println(completion + ": " + target.getString(0));
            // The guide ends
            assertTrue(completion != null && completion.status().success());
            assertEquals("written into your memory", target.getString(0));
        }
    }

    @Test
    void theGuideShowsThisCode() throws IOException {
        assumeTrue(Files.exists(GUIDE), "no guide beside the module: not in a checkout");
        String code = Files.readString(HERE);
        String shown = code.substring(
                        code.indexOf("// The guide begins\n") + "// The guide begins\n".length(),
                        code.indexOf("            // The guide ends"))
                .indent(-8);
        assertTrue(
                Files.readString(GUIDE).contains("```java\n" + shown + "}\n```"),
                "the guide has other Java than this:\n" + shown);
    }
}
