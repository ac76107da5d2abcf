package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.Engine;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.Doorbell;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;
import org.verbena.queue.RingMemory;
import org.verbena.queue.SendSlot;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/**
 * One set of rings, mapped by two processes: an engine and its peer here, the consumer in a second JVM ({@link
 * MappedConsumer}) that has nothing but the file. Sends, receives, a write, a read, an atomic and an error pass through it.
 */
final class MappedRingsTest {
    private static final long FILE = 1 << 20;
    private static final long DATA = 64 << 10;

    /** Memory of the file, piece after piece behind the data. */
    private static final class Pieces implements RingMemory {
        private final MemorySegment file;
        private final List<Long> offsets = new ArrayList<>();
        private long next = DATA;

        Pieces(MemorySegment file) {
            this.file = file;
        }

        @Override
        public MemorySegment allocate(long bytes) {
            long at = next;
            offsets.add(at);
            next = (at + bytes + 127) & -128;
            return file.asSlice(at, bytes);
        }
    }

    @TempDir
    private Path directory;

    private final InProcessNetwork network = new InProcessNetwork();
    private final NanoClock clock = NanoClock.system();

    @Test
    @Timeout(300)
    void aConsumerInAnotherProcessPostsAndPolls() throws IOException, InterruptedException {
        Path path = directory.resolve("rings");
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, FILE, arena);
            exchange(path, mapped);
        }
    }

    /** The engine believes no word of a ring: a slot with a registration is refused unless the queue pair was made to take them. */
    @Test
    void aRegistrationInTheRingOfAQueuePairThatTakesNoneIsRefused() {
        Pieces pieces = new Pieces(Arena.ofAuto().allocate(FILE, 128));
        AdapterOptions options =
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(5);
        try (Adapter near = new Adapter(
                        network.open(), clock, options, new ProtectionTable(64, new Seed(1)), pieces, List.of());
                Adapter far = Adapter.open(network.open(), clock, options.withSeed(6))) {
            Echo echo = new Echo(far);
            ProtectionDomain domain = near.createProtectionDomain();
            CompletionQueue completions = near.createCompletionQueue(16);
            QueuePair queuePair = near.createQueuePair(
                    QueuePairOptions.of(domain, completions).withCapacity(4, 4));
            queuePair.connect(echo.queuePair.address(), ConnectionOptions.DEFAULT);
            Ring sends = Ring.attach(pieces.file.asSlice(pieces.offsets.get(2)), RingKind.SEND);
            PostRules lax = new PostRules(Service.RC, 4, 64, null, true);
            Region fixed = near.reserve(domain, Arena.ofAuto().allocate(64), EnumSet.allOf(Right.class));
            var request = new WorkRequest.Register(7, fixed.key(), SendOptions.SIGNALLED);
            assertTrue(WorkEncoder.post(sends, request, lax, PostMemory.ofRegions()));
            Doorbell.attach(pieces.file.asSlice(pieces.offsets.getFirst()), () -> {})
                    .ring(queuePair.number() & Engine.DOORBELL_MASK);
            near.work(clock.nowNs());
            Completion refused = Objects.requireNonNull(completions.poll());
            assertEquals(7, refused.id());
            assertEquals(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, refused.status());
            assertEquals(Verdict.NOT_ENABLED, refused.detail());
            assertEquals(QueuePairState.ERROR, queuePair.state());
            assertFalse(fixed.isValid());
        }
    }

    @Test
    void memoryCannotBeRegisteredFromAnotherProcess() {
        Ring sends = Ring.create(
                RingMemory.LOCAL.allocate(Ring.lengthOf(2, SendSlot.length(4, 64))),
                RingKind.SEND,
                2,
                SendSlot.length(4, 64));
        PostRules rules = new PostRules(Service.RC, 4, 64, null, true);
        var memory = PreparedMemory.of(Arena.ofAuto().allocate(64), EnumSet.allOf(Right.class));
        var request = new WorkRequest.Register(7, 0x100, memory, SendOptions.SIGNALLED);
        assertThrows(
                IllegalArgumentException.class, () -> WorkEncoder.post(sends, request, rules, PostMemory.ofRegions()));
        assertEquals(0, sends.filled());
        assertTrue(WorkEncoder.post(
                sends, new WorkRequest.Register(8, 0x100, SendOptions.SIGNALLED), rules, PostMemory.ofRegions()));
    }

    private void exchange(Path path, MemorySegment mapped) throws IOException, InterruptedException {
        Pieces pieces = new Pieces(mapped);
        AdapterOptions options =
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(5);
        try (Adapter near = new Adapter(
                        network.open(), clock, options, new ProtectionTable(64, new Seed(1)), pieces, List.of());
                Adapter far = Adapter.open(network.open(), clock, options.withSeed(6))) {
            Echo echo = new Echo(far);
            ProtectionDomain domain = near.createProtectionDomain();
            CompletionQueue completions = near.createCompletionQueue(16);
            QueuePair queuePair = near.createQueuePair(
                    QueuePairOptions.of(domain, completions).withCapacity(4, 4));
            Region region = near.register(domain, mapped.asSlice(0, DATA), EnumSet.allOf(Right.class));
            queuePair.connect(echo.queuePair.address(), ConnectionOptions.DEFAULT);
            echo.queuePair.connect(queuePair.address(), ConnectionOptions.DEFAULT);
            echo.postAll();

            List<Long> numbers = new ArrayList<>();
            numbers.add(0L); // the data
            numbers.addAll(pieces.offsets); // doorbell, completions, sends, receives
            numbers.addAll(List.of((long) queuePair.number(), region.address(), (long) region.key()));
            numbers.addAll(List.of(echo.region.address(), (long) echo.region.key()));
            assertEquals(10, numbers.size());

            Doorbell doorbell = Doorbell.attach(mapped.asSlice(pieces.offsets.getFirst()), () -> {});
            doorbell.sleeping(true);
            Path output = directory.resolve("output");
            Process consumer = start(path, numbers, output);
            try {
                while (consumer.isAlive() && mapped.get(ValueLayout.JAVA_LONG, MappedConsumer.WOKEN) == 0) {
                    Thread.sleep(1);
                }
                doorbell.sleeping(false);
                while (consumer.isAlive()) {
                    turn(near, far, echo);
                }
            } finally {
                consumer.destroyForcibly();
            }
            String text = Files.readString(output);
            assertEquals(0, consumer.exitValue(), text);
            assertEquals("passed " + MappedConsumer.ROUNDS + " rounds", text.strip());
            assertTrue(mapped.get(ValueLayout.JAVA_LONG, MappedConsumer.WOKEN) > 0);
            assertEquals(MappedConsumer.ROUNDS, echo.echoed);
        }
    }

    private void turn(Adapter near, Adapter far, Echo echo) throws InterruptedException {
        int done = near.work(clock.nowNs()) + far.work(clock.nowNs()) + echo.turn();
        if (done == 0) {
            Thread.sleep(0, 50_000); // the other process may need the core
        }
    }

    private static Process start(Path file, List<Long> numbers, Path output) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "java")
                .toString());
        command.addAll(List.of("-ea", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", root(Adapter.class) + File.pathSeparator + root(MappedConsumer.class)));
        command.add(MappedConsumer.class.getName());
        command.add(file.toString());
        numbers.forEach(number -> command.add(Long.toString(number)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** The directory that the classes of a class's package tree are in. */
    private static Path root(Class<?> type) {
        String name = type.getName().replace('.', '/') + ".class";
        try {
            URI found = Objects.requireNonNull(type.getResource(type.getSimpleName() + ".class"))
                    .toURI();
            Path at = Path.of(found);
            for (int parts = Path.of(name).getNameCount(); parts > 0; parts--) {
                at = Objects.requireNonNull(at.getParent());
            }
            return at;
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The peer: sends back what it receives. */
    private static final class Echo {
        private static final int RECEIVES = 8;
        private static final int ROOM = 8192;

        final QueuePair queuePair;
        final Region region;
        private final CompletionQueue completions;
        private int echoed;

        Echo(Adapter adapter) {
            ProtectionDomain domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(64);
            queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions));
            MemorySegment memory = Arena.ofAuto().allocate((long) RECEIVES * ROOM, 64);
            region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        }

        void postAll() {
            for (int i = 0; i < RECEIVES; i++) {
                post(i);
            }
        }

        private void post(long buffer) {
            assertTrue(queuePair.post(new WorkRequest.Receive(buffer, LocalSegment.of(region, buffer * ROOM, ROOM))));
        }

        int turn() {
            Completion completion = completions.poll();
            if (completion == null || completion.status() == Status.FLUSHED) {
                return 0;
            }
            assertEquals(Status.SUCCESS, completion.status());
            if (completion.operation() == Operation.RECEIVE) {
                LocalSegment data = LocalSegment.of(region, completion.id() * ROOM, completion.byteLength());
                assertTrue(queuePair.post(new WorkRequest.Send(completion.id(), data)));
                echoed++;
            } else {
                post(completion.id());
            }
            return 1;
        }
    }
}
