package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.Region;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;

/** A consumer registers a mapped file and cuts it: the engine's next copy faults, and the engine must go on for others. */
@OverEachWire
final class CutFileTest {
    private static final int BYTES = 16 << 10;

    @TempDir
    private Path directory = Path.of("");

    private final VirtualClock clock = new VirtualClock(0);
    private final Wire wire;
    private final Wires wires;
    private final Node a;
    private final Node b;

    CutFileTest(Wire wire) {
        this.wire = wire;
        wires = new Wires(wire);
        a = node();
        b = node();
    }

    private Node node() {
        AdapterOptions options = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL);
        return new Node(wires.open(clock, options.withSeed(1)), 1 << 16);
    }

    private void run() {
        for (int turn = 0; turn < 20; turn++) {
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs());
        }
    }

    @Test
    void anEngineSurvivesAFileThatIsCutWhileRegistered() throws IOException {
        Node.connect(a, b, ConnectionOptions.DEFAULT);
        QueuePair mine = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.completions));
        QueuePair other = b.adapter.createQueuePair(QueuePairOptions.of(b.domain, b.completions));
        Wires.connect(mine, other, ConnectionOptions.DEFAULT);
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("mapped"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            Region region = a.adapter.register(a.domain, mapped, EnumSet.allOf(Right.class));
            file.truncate(0);
            a.queuePair.post(new WorkRequest.Write(1, LocalSegment.of(region), b.remote(0)));
            run();
            assertTrue(a.adapter.counters().value(Counter.MEMORY_FAULTS) > 0);
            assertEquals(QueuePairState.ERROR, a.queuePair.state());
            assertEquals(
                    List.of("1 FLUSHED"),
                    a.drain().stream().map(c -> c.id() + " " + c.status()).toList());
            mine.post(new WorkRequest.Write(2, a.segment(0, 100), b.remote(0)));
            run();
            assertTrue(
                    a.drain().stream().anyMatch(c -> c.id() == 2 && c.status().success()));
            region.close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Service.class,
            names = {"UC", "UD"})
    void aQueuePairWithoutAcknowledgementsFailsWithItsFile(Service service) throws IOException {
        if (a.lacks(service)) {
            return;
        }
        QueuePair mine = a.adapter.createQueuePair(
                QueuePairOptions.of(a.domain, a.completions).withService(service));
        if (service == Service.UD) {
            mine.activate(DatagramOptions.of(1));
        } else {
            mine.connect(b.queuePair.address(), ConnectionOptions.DEFAULT);
        }
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("mapped"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            Region region = a.adapter.register(a.domain, mapped, EnumSet.allOf(Right.class));
            file.truncate(0);
            LocalSegment gone = LocalSegment.of(region, 0, 1000);
            AddressHandle to = a.adapter.createAddressHandle(a.domain, b.adapter.endpoint());
            mine.post(
                    service == Service.UC
                            ? new WorkRequest.Send(1, gone)
                            : new WorkRequest.SendDatagram(1, Payload.of(gone), to, 2, 1, SendOptions.SIGNALLED));
            run();
            assertEquals(QueuePairState.ERROR, mine.state());
            assertEquals(
                    List.of("1 FLUSHED"),
                    a.drain().stream().map(c -> c.id() + " " + c.status()).toList());
            region.close();
        }
    }

    /** The engine's copy of a packet into a receive faults. The queue pair fails, and the engine takes packets of others. */
    @ParameterizedTest
    @EnumSource(Service.class)
    void aQueuePairThatReceivesIntoACutFileFails(Service service) throws IOException {
        if (a.lacks(service)) {
            return;
        }
        Node.connect(a, b, ConnectionOptions.DEFAULT);
        QueuePair mine = a.adapter.createQueuePair(
                QueuePairOptions.of(a.domain, a.completions).withService(service));
        QueuePair other = b.adapter.createQueuePair(
                QueuePairOptions.of(b.domain, b.completions).withService(service));
        begin(service, mine, other);
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("mapped"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            Region region = a.adapter.register(a.domain, mapped, EnumSet.allOf(Right.class));
            file.truncate(0);
            mine.post(new WorkRequest.Receive(1, LocalSegment.of(region)));
            Payload data = Payload.of(b.segment(0, 1000));
            other.post(
                    switch (service) {
                        case RC, UC -> new WorkRequest.Send(2, data, SendOptions.SIGNALLED);
                        case UD ->
                            new WorkRequest.SendDatagram(2, data, toA(), mine.number(), 1, SendOptions.SIGNALLED);
                        case RAW -> new WorkRequest.SendRaw(2, data, toA(), SendOptions.SIGNALLED);
                    });
            run();
            assertEquals(1, a.adapter.counters().value(Counter.MEMORY_FAULTS));
            assertEquals(QueuePairState.ERROR, mine.state());
            assertEquals(
                    List.of("1 FLUSHED"),
                    a.drain().stream().map(c -> c.id() + " " + c.status()).toList());
            a.queuePair.post(new WorkRequest.Write(3, a.segment(0, 100), b.remote(0)));
            run();
            assertEquals(
                    List.of("3 SUCCESS"),
                    a.drain().stream().map(c -> c.id() + " " + c.status()).toList());
            region.close();
        }
    }

    private AddressHandle toA() {
        return b.adapter.createAddressHandle(b.domain, a.adapter.endpoint());
    }

    private static void begin(Service service, QueuePair one, QueuePair other) {
        switch (service) {
            case RC, UC -> Wires.connect(one, other, ConnectionOptions.DEFAULT);
            case UD -> List.of(one, other).forEach(each -> each.activate(DatagramOptions.of(1)));
            case RAW -> List.of(one, other).forEach(each -> each.activateRaw(0x88b5));
        }
    }

    /** Over RoCE the last answers of a connection are sent when it ends; their memory may be gone. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aQueuePairEndsThoughTheFileOfItsAnswerIsCut(boolean closes) throws IOException {
        Node.connect(a, b, ConnectionOptions.DEFAULT);
        QueuePair peer = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.completions));
        QueuePair other = b.adapter.createQueuePair(QueuePairOptions.of(b.domain, b.completions));
        begin(Service.RC, peer, other);
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        directory.resolve("mapped"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            Region region = b.adapter.register(b.domain, mapped, EnumSet.allOf(Right.class));
            a.queuePair.post(new WorkRequest.Read(1, a.segment(0, 1000), RemoteMemory.of(region)));
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs()); // takes the request; its answer leaves with the next turn
            file.truncate(0);
            if (closes) {
                b.queuePair.close();
            } else {
                b.queuePair.abort();
            }
            assertEquals(closes ? QueuePairState.RESET : QueuePairState.ERROR, b.queuePair.state());
            assertEquals(wire == Wire.IWARP ? 0 : 1, b.adapter.counters().value(Counter.MEMORY_FAULTS));
            other.post(new WorkRequest.Write(2, b.segment(0, 100), a.remote(0)));
            run();
            assertEquals(
                    List.of("2 SUCCESS"),
                    b.drain().stream().map(c -> c.id() + " " + c.status()).toList());
            assertEquals(
                    wire == Wire.IWARP ? List.of("1 FLUSHED") : List.of(), // the stream ends at once
                    a.drain().stream().map(c -> c.id() + " " + c.status()).toList());
            region.close();
        }
    }
}
