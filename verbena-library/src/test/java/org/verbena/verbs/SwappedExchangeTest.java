package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.SwapOut;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.StoreOptions;
import org.verbena.time.Seed;

/**
 * An exchange as with a disk: a command by send, data by RDMA of the peer through a window, an answer. All of it is in one region, whose
 * consumer counts three operations. In the middle the hypervisor asks for quiesce, and then swaps the region out, to a real file.
 */
@OverEachWire
final class SwappedExchangeTest {
    private static final long PATIENCE_S = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_S);
    private static final int PAGE = 4096;
    private static final int PAGES = 32;
    private static final int COMMAND = 100;
    private static final int ANSWER = 60;
    /** The parts of the region, none of them at the begin of a page. */
    private static final long COMMAND_AT = 10;

    private static final long ANSWER_AT = 2 * PAGE + 77;
    private static final long DATA_AT = 4 * PAGE + 3;
    private static final int DATA = (PAGES - 5) * PAGE;
    /** The peer writes the first half of the data and reads the second. */
    private static final int HALF = DATA / 2;

    private static final Set<Right> ALL = EnumSet.allOf(Right.class);

    /** The owner of the memory. */
    enum Owner {
        HOST,
        GUEST,
        GUEST_WITH_ITS_OWN_DRIVER
    }

    @TempDir
    private Path directory;

    private final Node consumer;
    private final Node device;

    SwappedExchangeTest(Wire wire) {
        Wires wires = new Wires(wire);
        consumer = new Node(wires.openBySockets(AdapterOptions.DEFAULT), 1 << 18, 16);
        device = new Node(wires.openBySockets(AdapterOptions.DEFAULT), 1 << 18, 16);
    }

    @AfterEach
    void close() {
        consumer.adapter.close();
        device.adapter.close();
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void aRegionIsSwappedOutInTheMiddleOfAnExchangeAndTheNextOneFindsAllBytes(Owner owner) throws Exception {
        Node.connect(consumer, device, Node.PATIENT);
        try (Hypervisor hypervisor =
                Hypervisor.open(HypervisorOptions.of(1 << 20).withStore(StoreOptions.at(directory)))) {
            Domain domain = domain(hypervisor, owner);
            try (ManagedMemory memory = domain.allocate(PAGES * PAGE);
                    Region region = consumer.adapter.register(
                            consumer.domain, memory, 0, ALL, CurrentIoOptions.of(CurrentIo.Mode.CONSUMER));
                    Window window = consumer.adapter.createWindow(consumer.domain, Window.Type.TYPE_1)) {
                new Run(hypervisor, memory, region, window).run();
            } finally {
                if (owner != Owner.HOST) {
                    domain.close();
                }
            }
        }
    }

    private static Domain domain(Hypervisor hypervisor, Owner owner) {
        GuestOptions options = GuestOptions.ofPhysical(1 << 20);
        return switch (owner) {
            case HOST -> hypervisor.host();
            case GUEST -> hypervisor.createGuest(options);
            case GUEST_WITH_ITS_OWN_DRIVER ->
                hypervisor.createGuest(options.withDriver(fault -> fault.map(fault.page() + 11)));
        };
    }

    private final class Run {
        private final Hypervisor hypervisor;
        private final ManagedMemory memory;
        private final Region region;
        private final CurrentIo io;
        private final RemoteMemory data;
        private final int key;
        private final int free;

        Run(Hypervisor hypervisor, ManagedMemory memory, Region region, Window window) {
            this.hypervisor = hypervisor;
            this.memory = memory;
            this.region = region;
            this.io = region.currentIo();
            this.key = region.key();
            this.free = hypervisor.framesFree();
            this.data = new RemoteMemory(DATA_AT, MemoryKey.next(window.key()));
            post(
                    consumer.queuePair,
                    new WorkRequest.BindWindow(
                            1,
                            window,
                            data.key(),
                            region,
                            DATA_AT,
                            DATA,
                            EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE),
                            SendOptions.SIGNALLED));
            succeed(consumer, 1);
        }

        void run() throws Exception {
            memory.write(0, MemorySegment.ofArray(pattern(PAGES * PAGE, 1)));
            begin(2);
            CompletableFuture<SwapOut> out = askForQuiesce();
            finish(2);
            assertOut(out.get(PATIENCE_S, TimeUnit.SECONDS));
            try (ManagedMemory other = hypervisor.host().allocate(1 << 20)) {
                other.write(0, MemorySegment.ofArray(new byte[1 << 20])); // its frames become others'
                assertAccessIsRefused();
            }
            await("the frames of other memory", () -> hypervisor.framesFree() == free); // some were being written
            hypervisor.swapIn(region).get(PATIENCE_S, TimeUnit.SECONDS);
            assertExchanged(2);
            begin(3);
            finish(3);
            assertExchanged(3);

            out = hypervisor.swapOut(region);
            assertOut(out.get(PATIENCE_S, TimeUnit.SECONDS));
            assertTrue(io.awaitResumed(PATIENCE), "interest brings the region back");
            assertExchanged(3);
            begin(4);
            finish(4);
            assertExchanged(4);
        }

        /** Begins an exchange: the command is on its way. */
        private void begin(int seed) {
            for (int operation = 0; operation < 3; operation++) { // a send, RDMA, a receive
                assertTrue(io.begin());
            }
            assertEquals(3, io.operations());
            memory.write(COMMAND_AT, MemorySegment.ofArray(command(seed)));
            memory.write(DATA_AT + HALF, MemorySegment.ofArray(pulled(seed)));
            receive(device.queuePair, 10, device.segment(0, COMMAND));
            receive(consumer.queuePair, 11, LocalSegment.of(region, ANSWER_AT, ANSWER));
            post(consumer.queuePair, new WorkRequest.Send(12, LocalSegment.of(region, COMMAND_AT, COMMAND)));
            succeed(consumer, 12);
            io.end();
        }

        /** The device does its RDMA and answers. */
        private void finish(int seed) {
            succeed(device, 10);
            assertBytes(command(seed), device.memory.asSlice(0, COMMAND));
            device.memory.asSlice(PAGE, HALF).copyFrom(MemorySegment.ofArray(pushed(seed)));
            post(device.queuePair, new WorkRequest.Write(13, device.segment(PAGE, HALF), data));
            succeed(device, 13);
            post(device.queuePair, new WorkRequest.Read(14, device.segment(0, HALF), data.plus(HALF)));
            succeed(device, 14);
            assertBytes(pulled(seed), device.memory.asSlice(0, HALF));
            device.memory.asSlice(0, ANSWER).copyFrom(MemorySegment.ofArray(answer(seed)));
            assertTrue(region.isValid(), "operations are under way");
            post(device.queuePair, new WorkRequest.Send(15, device.segment(0, ANSWER)));
            succeed(device, 15);

            succeed(consumer, 11);
            assertEquals(2, io.operations());
            io.end(); // the answer says that the RDMA is done
            io.end();
        }

        private CompletableFuture<SwapOut> askForQuiesce() {
            CompletableFuture<SwapOut> out = hypervisor.swapOut(region);
            assertTrue(io.isQuiescing());
            assertFalse(io.begin(), "nothing new begins");
            assertFalse(out.isDone());
            assertTrue(region.isValid());
            return out;
        }

        private void assertOut(SwapOut out) {
            assertEquals(new SwapOut(SwapOut.State.OUT, PAGES, 0, 0), out);
            assertEquals(free, hypervisor.framesFree(), "frames of machine memory");
            assertEquals(0, memory.residency().resident());
            assertFalse(region.isValid());
            assertFalse(io.begin());
        }

        private void assertAccessIsRefused() throws InterruptedException {
            // Over iWARP a write is done when the stream has taken it; the peer's Terminate message follows.
            Status write = consumer.adapter.wire() == Wire.IWARP ? Status.SUCCESS : Status.REMOTE_ACCESS_ERROR;
            LocalSegment own = device.segment(0, 8);
            assertRefused(device, new WorkRequest.Write(20, own, data), write);
            assertRefused(device, new WorkRequest.Read(21, own, data), Status.REMOTE_ACCESS_ERROR);
            assertRefused(device, new WorkRequest.Write(22, own, RemoteMemory.of(region)), write);
            assertRefused(
                    consumer, new WorkRequest.Send(23, LocalSegment.of(region, 0, 8)), Status.LOCAL_PROTECTION_ERROR);
            assertEquals(0, memory.residency().resident());
        }

        /** A request on a connection of its own, which it ends. */
        private void assertRefused(Node from, WorkRequest.Sending request, Status status) throws InterruptedException {
            QueuePair one = queuePair(from);
            QueuePair other = queuePair(from == consumer ? device : consumer);
            Wires.connect(one, other, Node.PATIENT);
            post(one, request);
            assertEquals(status, next(from).status());
            await("the error state", () -> one.state() == QueuePairState.ERROR);
            one.close();
            other.close();
        }

        private static QueuePair queuePair(Node node) {
            return node.adapter.createQueuePair(QueuePairOptions.of(node.domain, node.completions));
        }

        private void assertExchanged(int seed) {
            assertTrue(region.isValid());
            assertEquals(key, region.key());
            byte[] expected = pattern(PAGES * PAGE, 1);
            System.arraycopy(command(seed), 0, expected, (int) COMMAND_AT, COMMAND);
            System.arraycopy(answer(seed), 0, expected, (int) ANSWER_AT, ANSWER);
            System.arraycopy(pushed(seed), 0, expected, (int) DATA_AT, HALF);
            System.arraycopy(pulled(seed), 0, expected, (int) DATA_AT + HALF, HALF);
            byte[] found = new byte[PAGES * PAGE];
            memory.read(0, MemorySegment.ofArray(found));
            assertBytes(expected, MemorySegment.ofArray(found));
        }
    }

    private static byte[] pattern(int length, int seed) {
        Seed source = new Seed(seed);
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) source.nextLong();
        }
        return bytes;
    }

    private static byte[] command(int seed) {
        return pattern(COMMAND, 10 * seed);
    }

    private static byte[] answer(int seed) {
        return pattern(ANSWER, 10 * seed + 1);
    }

    private static byte[] pushed(int seed) {
        return pattern(HALF, 10 * seed + 2);
    }

    private static byte[] pulled(int seed) {
        return pattern(HALF, 10 * seed + 3);
    }

    private static void assertBytes(byte[] expected, MemorySegment found) {
        assertEquals(-1, MemorySegment.ofArray(expected).mismatch(found));
    }

    private static void post(QueuePair queuePair, WorkRequest.Sending request) {
        assertTrue(queuePair.post(request));
    }

    private static void receive(QueuePair queuePair, long id, LocalSegment into) {
        assertTrue(queuePair.post(new WorkRequest.Receive(id, into)));
    }

    private static void succeed(Node node, long id) {
        Completion completion = next(node);
        assertEquals(Status.SUCCESS, completion.status(), completion::toString);
        assertEquals(id, completion.id(), completion::toString);
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < PATIENCE_S * 1000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(1);
        }
        assertTrue(condition.getAsBoolean(), what);
    }

    private static Completion next(Node node) {
        try {
            Completion completion = node.completions.poll(PATIENCE);
            assertNotNull(completion);
            return completion;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
