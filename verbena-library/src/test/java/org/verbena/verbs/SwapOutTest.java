package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.StoreOptions;

/** A region swapped out and in, to a real file, again and again under a consumer that writes and reads over real links. */
@OverEachWire
final class SwapOutTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SWAPS = 25;
    private static final long BYTES = 1 << 18;
    private static final int PIECE = 10_000;

    @TempDir
    private Path directory;

    private final Node a;
    private final Node b;
    private final AtomicBoolean enough = new AtomicBoolean();

    SwapOutTest(Wire wire) {
        Wires wires = new Wires(wire);
        a = new Node(wires.openBySockets(AdapterOptions.DEFAULT), BYTES, 16);
        b = new Node(wires.openBySockets(AdapterOptions.DEFAULT), BYTES, 16);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(120)
    void aConsumerThatWaitsWhenToldLosesNothing(boolean wired) throws Exception {
        Node.connect(a, b, Node.PATIENT);
        try (Hypervisor hypervisor =
                        Hypervisor.open(HypervisorOptions.of(1 << 20).withStore(StoreOptions.at(directory)));
                ManagedMemory memory = wired
                        ? hypervisor.host().allocateWired(BYTES)
                        : hypervisor.host().allocate(BYTES);
                Region region = a.adapter.register(
                        a.domain, memory, 0, EnumSet.allOf(Right.class), CurrentIoOptions.of(CurrentIo.Mode.LIBRARY))) {
            var consumer = new FutureTask<>(() -> consume(memory, region));
            Thread.ofPlatform().start(consumer);
            swap(hypervisor, region);
            enough.set(true);
            assertTrue(consumer.get() > 0);
        } finally {
            a.adapter.close();
            b.adapter.close();
        }
    }

    @Test
    @Timeout(120)
    void postedReceivesAndAConsumerThatWaitsKeepARegionUnderPressure() throws Exception {
        try (Hypervisor hypervisor =
                        Hypervisor.open(HypervisorOptions.of(1 << 20).withStore(StoreOptions.at(directory)));
                ManagedMemory memory = hypervisor.host().allocateWired(BYTES);
                Region region = a.adapter.register(
                        a.domain, memory, 0, EnumSet.allOf(Right.class), CurrentIoOptions.of(CurrentIo.Mode.LIBRARY))) {
            Node.connect(a, b, Node.PATIENT);
            hypervisor.swapUnderPressure(true);
            LocalSegment local = LocalSegment.of(region, 0, PIECE);
            assertTrue(a.queuePair.post(new WorkRequest.Receive(1, local)));
            var asked = new CountDownLatch(1);
            region.currentIo().onQuiesce(asked::countDown);
            assertThrows(IllegalStateException.class, () -> hypervisor.host().allocateWired(BYTES));
            asked.await();
            complete(region, () -> a.queuePair.post(new WorkRequest.Write(2, local, b.remote(0))));
            assertTrue(region.isValid());
            assertEquals(1, region.currentIo().operations());
        } finally {
            a.adapter.close();
            b.adapter.close();
        }
    }

    private static void swap(Hypervisor hypervisor, Region region) throws InterruptedException, ExecutionException {
        for (int done = 0; done < SWAPS; ) {
            if (hypervisor.swapOut(region, PATIENCE).isOut()) {
                done++;
            }
            if (done % 2 == 0) {
                hypervisor.swapIn(region).get();
            } else {
                while (!region.isValid()) {
                    Thread.sleep(1); // the owner waits for it, and that brings it back
                }
            }
        }
    }

    /** Writes pieces of the region to the peer and reads them back into it; returns how many. */
    private int consume(ManagedMemory memory, Region region) throws Exception {
        int rounds = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(PIECE);
            MemorySegment back = arena.allocate(PIECE);
            for (; !enough.get(); rounds++) {
                long offset = rounds * 7919L % (BYTES - PIECE);
                piece.fill((byte) rounds);
                memory.write(offset, piece);
                LocalSegment local = LocalSegment.of(region, offset, PIECE);
                complete(region, () -> a.queuePair.post(new WorkRequest.Write(1, local, b.remote(0))));
                memory.write(offset, back.fill((byte) ~rounds));
                complete(region, () -> a.queuePair.post(new WorkRequest.Read(2, local, b.remote(0))));
                memory.read(offset, back);
                assertEquals(-1, piece.mismatch(back), "round " + rounds);
            }
        }
        return rounds;
    }

    private void complete(Region region, Callable<Boolean> post) throws Exception {
        for (boolean posted = false; !posted; ) {
            try {
                posted = post.call();
            } catch (QuiescingException later) {
                assertEquals(region.currentIo(), later.currentIo());
                assertTrue(later.currentIo().awaitResumed(PATIENCE));
            }
        }
        Completion completion = a.completions.poll(PATIENCE);
        assertNotNull(completion);
        assertEquals(Status.SUCCESS, completion.status());
    }
}
