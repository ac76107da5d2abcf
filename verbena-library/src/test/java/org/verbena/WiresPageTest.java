package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.DatagramListener;
import org.verbena.exchange.Wires;
import org.verbena.memory.Region;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;

/** docs/reference/wires.md names what an adapter over iWARP refuses, and the tests that it names are there. */
final class WiresPageTest {
    private static final String PAGE = "docs/reference/wires.md";
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");
    private static final int NAMED_MIN = 20;
    private static final int IWARP_COLUMN = 3;

    private final VirtualClock clock = new VirtualClock(0);
    private final Adapter a;
    private final Adapter b;
    private final CompletionQueue completions;
    private String page = "";

    WiresPageTest() {
        AdapterOptions options =
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(1);
        Wires wires = new Wires(Wire.IWARP);
        a = wires.open(clock, options);
        b = wires.open(clock, options);
        completions = a.createCompletionQueue(16);
    }

    private static Checkout checkout() throws IOException, InterruptedException {
        Optional<Path> root = Checkout.findRoot();
        Assumptions.assumeTrue(root.isPresent(), "not a checkout");
        return Checkout.read(root.get());
    }

    @BeforeEach
    void readPage() throws IOException, InterruptedException {
        page = checkout()
                .texts()
                .filter(file -> file.path().equals(PAGE))
                .findFirst()
                .orElseThrow()
                .text();
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private void isNamed(String name) {
        assertTrue(page.contains("`" + name + "`"), () -> name + " is refused; not in " + PAGE);
    }

    /** In the column of iWARP: that of RoCE names what it has. */
    private void isRefusedInItsColumn(String name) {
        boolean found = page.lines()
                .map(line -> line.split("\\|"))
                .anyMatch(cells -> cells.length > IWARP_COLUMN && cells[IWARP_COLUMN].contains("`" + name + "`"));
        assertTrue(found, () -> name + " is refused; not in the column of iWARP in " + PAGE);
    }

    @Test
    void namesEveryServiceThatIsRefused() {
        for (Service service : EnumSet.complementOf(EnumSet.of(Service.RC))) {
            QueuePairOptions options = QueuePairOptions.of(completions).withService(service);
            assertThrows(IllegalArgumentException.class, () -> a.createQueuePair(options));
            isRefusedInItsColumn(service.name());
        }
    }

    @Test
    void namesEveryOperationThatIsRefused() {
        Region local = a.register(Arena.ofAuto().allocate(64, 8), Right.values());
        Region remote = b.register(Arena.ofAuto().allocate(64, 8), Right.values());
        LocalSegment eight = LocalSegment.of(local, 0, 8);
        Payload data = Payload.of(eight);
        RemoteMemory there = RemoteMemory.of(remote);
        SendOptions how = SendOptions.SIGNALLED;
        int refused = 0;
        for (WorkRequest.Sending request : List.of(
                new WorkRequest.Send(1, data, how),
                new WorkRequest.SendWithImmediate(1, data, 1, how),
                new WorkRequest.SendWithInvalidate(1, data, 1, how),
                new WorkRequest.Write(1, data, there, how),
                new WorkRequest.WriteWithImmediate(1, data, there, 1, how),
                new WorkRequest.Read(1, List.of(eight), there, how),
                new WorkRequest.FetchAdd(1, eight, there, 1, how),
                new WorkRequest.CompareSwap(1, eight, there, 1, 1, how),
                new WorkRequest.AtomicWrite(1, 1, there, how))) {
            Completion done = complete(request);
            if (done.status() == Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR) {
                isRefusedInItsColumn(done.operation().name());
                refused++;
            } else {
                assertEquals(Status.SUCCESS, done.status(), done::toString);
            }
        }
        assertEquals(2, refused);
    }

    private Completion complete(WorkRequest.Sending request) {
        QueuePair mine = a.createQueuePair(QueuePairOptions.of(completions));
        QueuePair theirs = b.createQueuePair(QueuePairOptions.of(b.createCompletionQueue(16)));
        Wires.connect(mine, theirs, ConnectionOptions.DEFAULT);
        assertTrue(mine.post(request));
        for (int turn = 0; turn < 10; turn++) {
            a.work(clock.nowNs());
            b.work(clock.nowNs());
        }
        return Objects.requireNonNull(completions.poll());
    }

    @Test
    void namesEveryOptionThatIsRefused() {
        ConnectorOptions usual = ConnectorOptions.DEFAULT;
        Map<String, ConnectorOptions> refused = Map.of(
                "withServiceId", usual.withServiceId(17),
                "withPeerToPeer", usual.withPeerToPeer(true));
        QueuePair mine = a.createQueuePair(QueuePairOptions.of(completions));
        var at = new InetSocketAddress(b.endpoint().address(), 7);
        refused.forEach((name, options) -> {
            assertThrows(IllegalArgumentException.class, () -> Connector.connectAsync(a, at, mine, options));
            isNamed(name);
        });
        assertThrows(IllegalStateException.class, () -> Connector.resolveAsync(a, at, usual));
        isNamed("Connector.resolve");
        var own = new InetSocketAddress(a.endpoint().address(), 7);
        assertThrows(IllegalStateException.class, () -> DatagramListener.open(a, own, 5, 1, PrivateData.NONE));
        isNamed("DatagramListener");
    }

    @Test
    void everyTestNamedExists() throws IOException, InterruptedException {
        Checkout checkout = checkout();
        List<MatchResult> named = NAMED.matcher(page).results().toList();
        assertTrue(named.size() >= NAMED_MIN, () -> named.size() + " tests are named");
        assertEquals(
                List.of(),
                named.stream()
                        .filter(test -> !ConformanceTest.exists(checkout, test.group(1), test.group(2)))
                        .map(MatchResult::group)
                        .toList());
    }
}
