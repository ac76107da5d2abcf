package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.StoreOptions;

/**
 * A consumer in another process ({@link MappedCounter}) counts its operations on a region in a word of a mapped file. Quiesce is seen there; the swap-out waits
 * for its operation; interest that it shows in the word brings the region back.
 */
@OverEachWire
final class MappedCurrentIoTest {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long BYTES = 1 << 18;

    @TempDir
    private Path directory;

    private final Pair pair;

    MappedCurrentIoTest(Wire wire) {
        pair = new Pair(wire);
    }

    @Test
    @Timeout(300)
    void aConsumerInAnotherProcessCountsIsAskedAndIsWaitedFor() throws Exception {
        Path path = directory.resolve("word");
        try (pair;
                Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Hypervisor hypervisor =
                        Hypervisor.open(HypervisorOptions.of(1 << 20).withStore(StoreOptions.at(directory)));
                ManagedMemory memory = hypervisor.host().allocateWired(BYTES)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, MappedCounter.FILE, arena);
            CurrentIoOptions options = CurrentIoOptions.of(CurrentIo.Mode.CONSUMER)
                    .withWord(mapped.asSlice(MappedCounter.WORD, Long.BYTES));
            Region region = pair.a.adapter.register(pair.a.domain, memory, 0, EnumSet.allOf(Right.class), options);
            Path output = directory.resolve("output");
            Process consumer = start(path, output);
            try {
                swap(hypervisor, memory, region, mapped, consumer);
                region.close();
                assertEquals(0, consumer.waitFor(), Files.readString(output));
                assertEquals("passed", Files.readString(output).strip());
            } finally {
                region.close();
                consumer.destroyForcibly();
            }
        }
    }

    private void swap(
            Hypervisor hypervisor, ManagedMemory memory, Region region, MemorySegment mapped, Process consumer)
            throws Exception {
        await(mapped, consumer, 1);
        assertEquals(1, region.currentIo().operations());
        assertEquals(Status.SUCCESS, write(region));
        CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
        await(mapped, consumer, 2);
        assertTrue(region.currentIo().isQuiescing());
        assertFalse(out.isDone());
        assertTrue(region.isValid());
        assertEquals(Status.SUCCESS, write(region), "its peers finish their part of the operation");
        assertEquals(BYTES / 4096, memory.residency().resident());
        LONG.setVolatile(mapped, MappedCounter.ALLOWED, 3L);
        await(mapped, consumer, 3);
        assertTrue(out.join().isOut());
        assertFalse(region.isValid());
        assertEquals(0, memory.residency().resident());
        assertEquals(pair.refused(Status.REMOTE_ACCESS_ERROR), write(region));
        assertEquals(QueuePairState.ERROR, pair.b.queuePair.state());
        pair.a.drain();
        pair.b.drain();
        pair.reconnect();
        LONG.setVolatile(mapped, MappedCounter.ALLOWED, 4L);
        await(mapped, consumer, 4);
        assertTrue(region.isValid());
        assertEquals(0, region.currentIo().operations());
        assertEquals(BYTES / 4096, memory.residency().resident());
        assertEquals(Status.SUCCESS, write(region));
    }

    private Status write(Region region) {
        pair.b.queuePair.post(new WorkRequest.Write(2, pair.b.segment(0, 8), RemoteMemory.of(region)));
        pair.run();
        return pair.b.drain().getFirst().status();
    }

    private static void await(MemorySegment mapped, Process consumer, long step) throws InterruptedException {
        while ((long) LONG.getVolatile(mapped, MappedCounter.DONE) < step) {
            assertTrue(consumer.isAlive(), "the consumer ended before step " + step);
            Thread.sleep(1);
        }
    }

    private static Process start(Path file, Path output) throws Exception {
        Path java = Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java");
        Path classes = Path.of(MappedCounter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return new ProcessBuilder(List.of(
                        java.toString(),
                        "-ea",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classes.toString(),
                        MappedCounter.class.getName(),
                        file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }
}
