package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.exchange.OverEachWire;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;

/** The words that a consumer reads when something is wrong. */
@OverEachWire
final class ErrorTextsTest {
    private final Wire wire;

    ErrorTextsTest(Wire wire) {
        this.wire = wire;
    }

    @TempDir
    private Path directory;

    private static Completion failure(Status status, Verdict detail) {
        return new Completion(7, status, Operation.WRITE, 17, 0, null, null, null, detail);
    }

    @Test
    void aCompletionSaysNothingOfMemoryThatWasNotRefusedHere() {
        String text = failure(Status.REMOTE_ACCESS_ERROR, Verdict.GRANTED).toString();
        assertFalse(text.contains("GRANTED"), text);
        assertTrue(text.contains("completion 7: WRITE REMOTE_ACCESS_ERROR, queue pair 17"), text);
        assertTrue(text.contains("QUEUE_PAIR_ACCESS_ERROR"), text);
    }

    @Test
    void aCompletionNamesTheReasonThatIsKnown() {
        String text =
                failure(Status.LOCAL_PROTECTION_ERROR, Verdict.OUT_OF_BOUNDS).toString();
        assertTrue(text.contains("OUT_OF_BOUNDS: " + Verdict.OUT_OF_BOUNDS.reason()), text);
    }

    /** The text of an adapter's endpoint without the port, which a stream has for itself. */
    private static String addressOf(Node node) {
        String endpoint = node.adapter.endpoint().toString();
        return endpoint.substring(0, endpoint.lastIndexOf(':') + 1);
    }

    /** A write beyond the end of the region. */
    private static AsyncEvent violate(Pair pair) {
        WorkRequest.Write write = new WorkRequest.Write(
                1, LocalSegment.of(pair.a.region, 0, 64), pair.b.remote(pair.b.region.length() - 10));
        assertTrue(pair.a.queuePair.post(write));
        pair.run();
        return accessError(pair);
    }

    private static AsyncEvent accessError(Pair pair) {
        return event(pair, EventKind.QUEUE_PAIR_ACCESS_ERROR);
    }

    private static AsyncEvent event(Pair pair, EventKind kind) {
        AsyncEvent event = pair.b.adapter.events().poll();
        while (event != null && event.kind() != kind) {
            event = pair.b.adapter.events().poll();
        }
        return Objects.requireNonNull(event, () -> "no event " + kind);
    }

    @Test
    void theOwnersEventNamesPeerKeyAddressLengthAndVerdict() {
        try (Pair pair = new Pair(wire)) {
            AsyncEvent event = violate(pair);
            long address = pair.b.region.address() + pair.b.region.length() - 10;
            String detail = event.detail();
            // Over iWARP the peer's stream has a name, and its queue pair has none.
            String peer = wire == Wire.IWARP
                    ? detail.substring(0, detail.indexOf(' '))
                    : pair.a.adapter.endpoint() + " queue pair " + pair.a.queuePair.number();
            assertTrue(peer.startsWith(addressOf(pair.a)), peer);
            assertEquals(
                    peer + " asked for 64 bytes at 0x"
                            + Long.toHexString(address) + " under key " + MemoryKey.toString(pair.b.region.key())
                            + ": OUT_OF_BOUNDS, " + Verdict.OUT_OF_BOUNDS.reason(),
                    detail);
            assertTrue(event.toString().contains(detail), event::toString);
        }
    }

    /** The owner closes the region while the answer to a read is on its way. */
    @Test
    void theOwnerIsToldOfAReadWhoseMemoryGoesAway() {
        try (Pair pair = new Pair(wire)) {
            Region region = pair.b.region;
            int key = region.key();
            assertTrue(pair.a.queuePair.post(
                    new WorkRequest.Read(1, LocalSegment.of(pair.a.region), RemoteMemory.of(region))));
            long nowNs = pair.clock.nowNs();
            do {
                pair.a.adapter.work(nowNs);
            } while (pair.b.adapter.work(nowNs) == 0);
            pair.b.adapter.work(nowNs); // the answer has begun, and is longer than what is sent at once
            region.close();
            pair.run();
            assertEquals(Status.REMOTE_ACCESS_ERROR, pair.a.drain().getFirst().status());
            String detail = accessError(pair).detail();
            assertTrue(detail.startsWith(addressOf(pair.a)), detail);
            assertTrue(
                    detail.endsWith(
                            " under key " + MemoryKey.toString(key) + ": NO_ENTRY, " + Verdict.NO_ENTRY.reason()),
                    detail);
        }
    }

    @Test
    void anAtomicAtAnAddressThatIsNotAlignedIsRefused() {
        try (Pair pair = new Pair(wire)) {
            assertTrue(pair.a.queuePair.post(new WorkRequest.FetchAdd(
                    1, LocalSegment.of(pair.a.region, 0, 8), pair.b.remote(4), 1, SendOptions.SIGNALLED)));
            pair.run();
            assertEquals(
                    Status.REMOTE_INVALID_REQUEST, pair.a.drain().getFirst().status());
            event(pair, EventKind.QUEUE_PAIR_REQUEST_ERROR);
        }
    }

    @Test
    void anAccessViolationIsRecorded() throws IOException {
        Path file = directory.resolve("violation.jfr");
        try (Recording recording = new Recording();
                Pair pair = new Pair(wire)) {
            recording.enable("org.verbena.AccessViolation");
            recording.start();
            violate(pair);
            recording.stop();
            recording.dump(file);
            long address = pair.b.region.address() + pair.b.region.length() - 10;
            List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                    // Other tests, with recordings of their own, may run beside this one.
                    .filter(event -> event.getEventType().getName().equals("org.verbena.AccessViolation"))
                    .filter(event -> event.getLong("address") == address)
                    .toList();
            assertEquals(1, events.size());
            RecordedEvent event = events.getFirst();
            assertEquals(pair.b.queuePair.number(), event.getInt("queuePair"));
            assertEquals(pair.b.region.key(), event.getInt("key"));
            assertEquals(64, event.getLong("length"));
            assertEquals("OUT_OF_BOUNDS", event.getString("verdict"));
            assertTrue(event.getString("peer").startsWith(addressOf(pair.a)), event::toString);
        }
    }

    @Test
    void anExceptionOfTheEnginesThreadHasTheFramesOfTheCaller() {
        AdapterOptions thread = AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.THREAD);
        try (Adapter adapter = Adapter.open(new InProcessNetwork().open(), thread)) {
            Node node = new Node(adapter, 4096);
            IllegalStateException failure = assertThrows(
                    IllegalStateException.class, () -> node.queuePair.readyToSend(ConnectionOptions.DEFAULT));
            assertTrue(
                    Arrays.stream(failure.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(ErrorTextsTest.class.getName())),
                    () -> Arrays.toString(failure.getStackTrace()));
            Throwable engines = Objects.requireNonNull(failure.getCause(), "the engine's exception");
            assertEquals(failure.getMessage(), engines.getMessage());
        }
    }

    @Test
    void aQueuePairThatTakesNoSendsSaysTheNextStep() {
        try (Pair pair = new Pair(wire, 4096, 4, Service.RC)) {
            WorkRequest.Send send = new WorkRequest.Send(1, LocalSegment.of(pair.a.region, 0, 1));
            IllegalStateException reset = assertThrows(IllegalStateException.class, () -> pair.a.queuePair.post(send));
            assertEquals(
                    "queue pair " + pair.a.queuePair.number() + " is RESET and takes no sends: connect it first",
                    reset.getMessage());
            pair.a.queuePair.initialize(EnumSet.noneOf(Right.class));
            if (wire == Wire.ROCE) {
                pair.a.queuePair.readyToReceive(pair.b.queuePair.address(), ConnectionOptions.DEFAULT);
                IllegalStateException half =
                        assertThrows(IllegalStateException.class, () -> pair.a.queuePair.post(send));
                assertTrue(String.valueOf(half.getMessage()).contains("call readyToSend first"), half::toString);
            }
            pair.a.queuePair.close();
            IllegalStateException closed = assertThrows(IllegalStateException.class, () -> pair.a.queuePair.post(send));
            assertTrue(String.valueOf(closed.getMessage()).endsWith("is closed and takes no sends"), closed::toString);
        }
    }

    @Test
    void objectsPrintTheirNames() {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Adapter adapter = Adapter.open(
                        UdpNetwork.open(new Endpoint(here.getAddress(), 0)), AdapterOptions.DEFAULT.withName("left"));
                Listener listener = Listener.open(adapter, here, ListenerOptions.DEFAULT)) {
            String name = "adapter left at " + adapter.endpoint();
            assertEquals(name, adapter.toString());
            assertEquals(
                    "completion queue of 16 of " + name,
                    adapter.createCompletionQueue(16).toString());
            assertEquals(
                    "shared receive queue of 8 of " + name,
                    adapter.createSharedReceiveQueue(8, 1).toString());
            assertEquals("listener at " + listener.address() + " of " + name, listener.toString());
            assertTrue(adapter.createProtectionDomain().toString().startsWith("protection domain "));
        }
    }
}
