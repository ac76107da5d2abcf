package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.fabric.topology.NetFile;
import org.verbena.fabric.topology.Topology;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** The program in the guide "A fabric in your program" runs, and is the code here. */
final class FabricGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "fabric.md");
    private static final Path NET = Path.of("..", "examples", "system-area-network.net");
    private static final Path HERE = Path.of("src", "test", "java", "org", "verbena", "fabric", "FabricGuideTest.java");

    @Test
    void aHostWritesIntoTheMemoryOfTheRaidSubsystem() throws InterruptedException {
        assumeTrue(Files.exists(NET), "no examples beside the module: not in a checkout");
        run(NET);
    }

    private static void run(Path netFile) throws InterruptedException {
        // The guide begins
        Topology topology = NetFile.read(netFile).topology();
        FabricOptions options = FabricOptions.DEFAULT.withMtu(Mtu.MTU_4096);
        try (Fabric fabric = Fabric.of(topology, options)) {
            fabric.start();
            fabric.manage(fabric.port("host1-1", 1), ManagerOptions.DEFAULT);
            boolean active = fabric.awaitActive("host1-1", 1, Duration.ofSeconds(30))
                    && fabric.awaitActive("raid", 1, Duration.ofSeconds(30));
            try (Adapter host = Adapter.open(fabric.open("host1-1", 1), AdapterOptions.DEFAULT);
                    Adapter raid = Adapter.open(fabric.open("raid", 1), AdapterOptions.DEFAULT)) {
                CompletionQueue completions = host.createCompletionQueue(16);
                QueuePair queuePair = host.createQueuePair(QueuePairOptions.of(completions));
                QueuePair other = raid.createQueuePair(QueuePairOptions.of(raid.createCompletionQueue(16)));
                queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
                other.connect(queuePair.address(), ConnectionOptions.DEFAULT);

                MemorySegment source = host.arena().allocateFrom("through two switches");
                MemorySegment target = raid.arena().allocate(source.byteSize());
                Region remote = raid.register(target, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
                boolean posted = queuePair.post(new WorkRequest.Write(1, source, RemoteMemory.of(remote)));
                Completion completion = posted ? completions.poll(Duration.ofSeconds(5)) : null;
                System.out.println(completion + ": " + target.getString(0));
                // The guide ends
                assertTrue(active);
                assertTrue(completion != null && completion.status().success());
                assertEquals("through two switches", target.getString(0));
            }
        }
    }

    @Test
    void theGuideShowsThisCode() throws IOException {
        assumeTrue(Files.exists(GUIDE), "no guide beside the module: not in a checkout");
        String code = Files.readString(HERE);
        String shown = code.substring(
                        code.indexOf("// The guide begins\n") + "// The guide begins\n".length(),
                        code.indexOf("                // The guide ends"))
                .indent(-8);
        assertTrue(
                Files.readString(GUIDE).contains("```java\n" + shown + "    }\n}\n```"),
                "the guide has other Java than this:\n" + shown);
    }
}
