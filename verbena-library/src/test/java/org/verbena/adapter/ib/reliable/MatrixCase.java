package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.adapter.ib.reliable.MatrixCell.Deed;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.Mischief;
import org.verbena.exchange.PagedWorld;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.memory.Advice;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.PagingProbe;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * Runs cells of the matrix of faults, each with pages and a connection of its own. Behind the requests of the cell another write is
 * posted at once, and a send when all are done: it must find the next receive.
 */
final class MatrixCase implements AutoCloseable {
    private static final int PAGE = MatrixCell.PAGE;
    /** Pages of a cell at either end: those of the message, and two at the end that are always present. */
    private static final int PAGES = 8;

    private static final int SIZE = PAGES * PAGE;
    private static final int BEHIND = 6 * PAGE;
    private static final int LANDINGS = 7 * PAGE;
    private static final int LENGTH_BEHIND = 64;
    private static final int IMMEDIATE = 0x1234_5678;
    private static final long STORE_NS = 80_000;
    private static final long LIMIT_NS = 3_000_000_000L;
    private static final ConnectionOptions HOW = ConnectionOptions.DEFAULT
            .withRetries(7, Duration.ofMillis(20))
            .withRnr(7, RnrTimer.US_640)
            .withReads(16, 16);
    private static final List<Counter> FAULTS =
            List.of(Counter.SEND_PAGE_FAULTS, Counter.WRITE_PAGE_FAULTS, Counter.ATOMIC_PAGE_FAULTS);
    private static final List<Counter> WAITS =
            List.of(Counter.RESPONSE_PAGE_FAULTS, Counter.GATHER_PAGE_FAULTS, Counter.LANDING_PAGE_FAULTS);

    private static final List<Counter> EXPIRED = List.of(Counter.PAGE_LEASES_EXPIRED);

    private PagedWorld world = world();
    private long at;
    private byte[] client = new byte[SIZE];
    private byte[] server = new byte[SIZE];
    private List<Completion> sent = new ArrayList<>();
    private List<Completion> received = new ArrayList<>();
    private @Nullable Window window;
    private int windowKey;

    private static PagedWorld world() {
        return new PagedWorld(
                new PagedWorld.Sizes(32 << 20, 64 << 20, STORE_NS), new SimulatedWire(5_000, 12_500_000_000L, 1024), 3);
    }

    /** Packets of the last cell that were lost, doubled or overtaken. */
    int meddled() {
        return world.mischief().done();
    }

    /** A cell failed: its remains are not checked. */
    void startAnew() {
        world = world();
        at = 0;
    }

    void run(MatrixCell cell) {
        long refusals = world.server.counted(Counter.SENT_FAULT_RNR_NAKS);
        long faults = counted(world.server, FAULTS);
        long waits = counted(world.client, WAITS) + counted(world.server, WAITS);
        long timeouts = world.client.counted(Counter.ACK_TIMEOUTS);
        long expired = counted(world.client, EXPIRED) + counted(world.server, EXPIRED);
        long byTimeout = world.client.counted(Counter.RESUMED_BY_ACK_TIMEOUT);
        long byProbe = world.client.counted(Counter.RESUMED_BY_PROBE);
        sent = new ArrayList<>();
        received = new ArrayList<>();
        List<QueuePair> pair = world.connect(HOW.withMtu(cell.mtu()));
        QueuePair requester = pair.getFirst();
        QueuePair responder = pair.getLast();
        prepare(cell, responder);
        world.mischief()
                .plan(cell.victim(), cell.act(), requester.address().firstPsn(), cell.faultPacket(), cell.lastPacket());
        boolean lost = cell.state() == PagingProbe.Where.POISONED && cell.needsPage();
        int requests = post(cell, requester);
        await(requests + 1);
        if (!lost) {
            assertTrue(requester.post(new WorkRequest.SendWithImmediate(
                    requests + 2L, Payload.inline(new byte[8]), 7, SendOptions.SIGNALLED)));
            await(requests + 2);
            long answeredNs = world.clock.nowNs();
            world.runUntil(() -> take() && received.size() >= expectedReceives(cell), LIMIT_NS);
            assertTrue(world.clock.nowNs() - answeredNs < 1_000_000, "the receive completed long after the send");
        }
        world.runUntil(
                () -> take() && isNothingKept() && world.server.store.underWay() == 0, lost ? LIMIT_NS : 200_000_000);
        pair.forEach(QueuePair::close);
        world.pass(100_000);
        if (window != null) {
            window.close();
            window = null;
        }
        assertEquals(List.of(), PagingProbe.kept(world.client.memory), "client");
        assertEquals(List.of(), PagingProbe.kept(world.server.memory), "server");
        if (lost) {
            requireFailed(cell);
            at += SIZE;
            return;
        }
        requireDone(cell, requests);
        requireCounted(
                cell,
                world.server.counted(Counter.SENT_FAULT_RNR_NAKS) - refusals,
                counted(world.server, FAULTS) - faults,
                counted(world.client, WAITS) + counted(world.server, WAITS) - waits);
        assertEquals(
                expired, counted(world.client, EXPIRED) + counted(world.server, EXPIRED), "pages kept for too long");
        assertEquals(timeouts, world.client.counted(Counter.ACK_TIMEOUTS), "ACK timeouts");
        assertEquals(byTimeout, world.client.counted(Counter.RESUMED_BY_ACK_TIMEOUT), "resumed by ACK timeout");
        if (cell.act() != Mischief.Act.LOSE || cell.victim() == Mischief.Victim.NOBODY) {
            assertEquals(byProbe, world.client.counted(Counter.RESUMED_BY_PROBE), "resumed by a probe");
        }
        at += SIZE;
    }

    private static long counted(PagedWorld.Side side, List<Counter> counters) {
        return counters.stream().mapToLong(side::counted).sum();
    }

    private boolean isNothingKept() {
        return world.client.adapter.faultsOpen() == 0
                && world.server.adapter.faultsOpen() == 0
                && world.client.adapter.landingsHeld() == 0;
    }

    private boolean take() {
        sent.addAll(world.client.drain());
        received.addAll(world.server.drain());
        return true;
    }

    private void await(int count) {
        world.runUntil(() -> take() && sent.size() >= count, LIMIT_NS);
    }

    // --- before

    private void prepare(MatrixCell cell, QueuePair responder) {
        client = Exchange.pattern(SIZE, (int) (at >> 12) * 3 + 1);
        server = Exchange.pattern(SIZE, (int) (at >> 12) * 5 + 2);
        byte[] cold = cell.deed().isAtClient() ? client : server;
        PagedWorld.Side coldSide = cell.deed().isAtClient() ? world.client : world.server;
        for (PagedWorld.Side side : List.of(world.client, world.server)) {
            byte[] bytes = side == world.client ? client : server;
            for (int page = 0; page < PAGES; page++) {
                boolean untouched =
                        side == coldSide && cell.state() == PagingProbe.Where.ZERO && cell.isMissing(page) && page < 6;
                if (untouched) {
                    Arrays.fill(cold, page * PAGE, (page + 1) * PAGE, (byte) 0);
                } else {
                    side.memory.write(
                            at + (long) page * PAGE,
                            MemorySegment.ofArray(bytes).asSlice((long) page * PAGE, PAGE));
                }
            }
        }
        if (cell.deed() == Deed.SEND_WITH_INVALIDATE) {
            bindWindow(responder);
        }
        postReceives(cell, responder);
        for (long page : missing(cell)) {
            boolean away = cell.state() == PagingProbe.Where.ABSENT
                    || cell.state() == PagingProbe.Where.LOADING
                    || cell.state() == PagingProbe.Where.POISONED;
            if (away) {
                coldSide.evict(page, 1);
            }
        }
        for (long page : missing(cell)) {
            bring(coldSide, page, cell.state());
        }
        for (long page : missing(cell)) {
            assertEquals(cell.state(), PagingProbe.state(coldSide.memory, page), "page " + page);
        }
    }

    private long[] missing(MatrixCell cell) {
        return IntStream.range(0, BEHIND / PAGE)
                .filter(cell::isMissing)
                .mapToLong(page -> at / PAGE + page)
                .toArray();
    }

    private static void bring(PagedWorld.Side side, long page, PagingProbe.Where state) {
        switch (state) {
            case LOADING -> side.memory.advise(page * PAGE, PAGE, Advice.WILL_NEED);
            case CLEANING -> side.memory.advise(page * PAGE, PAGE, Advice.PAGE_OUT);
            case POISONED -> {
                side.store.corrupt(page);
                assertThrows(IllegalStateException.class, () -> side.bytesAt(page * PAGE, 1));
            }
            default -> {}
        }
    }

    private void bindWindow(QueuePair responder) {
        Window made = world.server.adapter.createWindow(world.server.domain, Window.Type.TYPE_2);
        window = made;
        windowKey = MemoryKey.next(made.key());
        assertTrue(responder.post(new WorkRequest.BindWindow(
                99,
                made,
                windowKey,
                world.server.region,
                world.server.region.address() + at,
                8,
                EnumSet.of(Right.REMOTE_WRITE),
                SendOptions.SIGNALLED)));
        world.runUntil(() -> !world.server.drain().isEmpty(), LIMIT_NS);
    }

    /** The first for the message, if it takes one, the other for the send at the end. */
    private void postReceives(MatrixCell cell, QueuePair responder) {
        if (cell.deed().takesReceive()) {
            assertTrue(responder.post(
                    cell.deed().isSend()
                            ? new WorkRequest.Receive(1, world.server.segment(at + cell.start(), cell.length()))
                            : new WorkRequest.Receive(1)));
        }
        assertTrue(responder.post(new WorkRequest.Receive(2, world.server.segment(at + LANDINGS, 8))));
    }

    private static int expectedReceives(MatrixCell cell) {
        return cell.deed().takesReceive() ? 2 : 1;
    }

    // --- the deed, and its effect on memory

    private int post(MatrixCell cell, QueuePair from) {
        int requests = cell.deed().isAtomic() ? postAtomics(cell, from) : postMessage(cell, from);
        System.arraycopy(client, BEHIND, server, BEHIND, LENGTH_BEHIND);
        assertTrue(from.post(new WorkRequest.Write(
                requests + 1L, world.client.segment(at + BEHIND, LENGTH_BEHIND), world.server.remote(at + BEHIND))));
        Arrays.fill(server, LANDINGS, LANDINGS + 8, (byte) 0);
        return requests;
    }

    private int postMessage(MatrixCell cell, QueuePair from) {
        int start = cell.start();
        int length = cell.length();
        var local = world.client.segment(at + start, length);
        var remote = world.server.remote(at + start);
        Payload data = Payload.of(local);
        assertTrue(from.post(
                switch (cell.deed()) {
                    case SEND, SEND_FROM_COLD -> new WorkRequest.Send(1, local);
                    case SEND_WITH_IMMEDIATE ->
                        new WorkRequest.SendWithImmediate(1, data, IMMEDIATE, SendOptions.SIGNALLED);
                    case SEND_WITH_INVALIDATE ->
                        new WorkRequest.SendWithInvalidate(1, data, windowKey, SendOptions.SIGNALLED);
                    case WRITE, WRITE_FROM_COLD -> new WorkRequest.Write(1, local, remote);
                    case WRITE_WITH_IMMEDIATE ->
                        new WorkRequest.WriteWithImmediate(1, data, remote, IMMEDIATE, SendOptions.SIGNALLED);
                    default -> new WorkRequest.Read(1, local, remote);
                }));
        if (cell.deed().isRead()) {
            System.arraycopy(server, start, client, start, length);
        } else {
            System.arraycopy(client, start, server, start, length);
        }
        return 1;
    }

    private int postAtomics(MatrixCell cell, QueuePair from) {
        for (int i = 0; i < MatrixCell.ATOMICS; i++) {
            boolean landingCold = cell.deed() == Deed.FETCH_ADD_INTO_COLD;
            int target = landingCold ? LANDINGS + 64 + 8 * i : cell.cell(i);
            int landing = landingCold ? cell.cell(i) : LANDINGS + 8 * i;
            var remote = world.server.remote(at + target);
            var local = world.client.segment(at + landing, 8);
            MemorySegment cells = MemorySegment.ofArray(server);
            long original = cells.get(ValueLayout.JAVA_LONG_UNALIGNED, target);
            long id = i + 1L;
            long after = switch (cell.deed()) {
                case COMPARE_SWAP, ATOMIC_WRITE -> 0x0102_0304_0506_0708L * id;
                default -> original + id;
            };
            assertTrue(from.post(
                    switch (cell.deed()) {
                        case COMPARE_SWAP ->
                            new WorkRequest.CompareSwap(id, local, remote, original, after, SendOptions.SIGNALLED);
                        case ATOMIC_WRITE -> new WorkRequest.AtomicWrite(id, after, remote, SendOptions.SIGNALLED);
                        default -> new WorkRequest.FetchAdd(id, local, remote, id, SendOptions.SIGNALLED);
                    }));
            cells.set(ValueLayout.JAVA_LONG_UNALIGNED, target, after);
            if (cell.deed() != Deed.ATOMIC_WRITE) {
                MemorySegment.ofArray(client).set(ValueLayout.JAVA_LONG_UNALIGNED, landing, original);
            }
        }
        return MatrixCell.ATOMICS;
    }

    // --- after

    private void requireDone(MatrixCell cell, int requests) {
        assertEquals(requests + 2, sent.size(), sent::toString);
        for (int i = 0; i < sent.size(); i++) {
            assertEquals(i + 1, sent.get(i).id(), sent::toString);
            assertEquals(Status.SUCCESS, sent.get(i).status(), sent::toString);
        }
        assertEquals(expectedReceives(cell), received.size(), received::toString);
        for (Completion each : received) {
            assertEquals(Status.SUCCESS, each.status(), received::toString);
        }
        assertEquals(2, received.getLast().id());
        if (cell.deed().takesReceive()) {
            requireReceived(cell, received.getFirst());
        }
        assertArrayEquals(client, world.client.bytesAt(at, SIZE), "client's memory");
        assertArrayEquals(server, world.server.bytesAt(at, SIZE), "server's memory");
    }

    private void requireReceived(MatrixCell cell, Completion first) {
        assertEquals(1, first.id());
        assertEquals(cell.length(), first.byteLength());
        boolean immediate = cell.deed() == Deed.SEND_WITH_IMMEDIATE || cell.deed() == Deed.WRITE_WITH_IMMEDIATE;
        assertEquals(immediate ? IMMEDIATE : null, first.immediate());
        assertEquals(cell.deed() == Deed.SEND_WITH_INVALIDATE ? windowKey : null, first.invalidatedKey());
        assertEquals(
                cell.deed().isSend() ? Operation.RECEIVE : Operation.RECEIVE_WRITE_WITH_IMMEDIATE, first.operation());
    }

    /** A page that is present, zero or on its way out causes no fault; an absent page one, and at most two refusals. */
    private static void requireCounted(MatrixCell cell, long refusals, long faults, long waits) {
        boolean away = cell.state() == PagingProbe.Where.ABSENT || cell.state() == PagingProbe.Where.LOADING;
        boolean calm = cell.victim() == Mischief.Victim.NOBODY;
        String found = refusals + " refusals, " + faults + " faults, " + waits + " waits";
        if (!away || !cell.needsPage()) {
            boolean loading = cell.state() == PagingProbe.Where.LOADING;
            assertTrue(loading || refusals + faults + waits == 0, found);
        } else if (cell.deed().isAtClient() || cell.deed() == Deed.READ) {
            assertEquals(0, refusals + faults, found);
            assertTrue(waits > 0, found);
        } else {
            assertEquals(0, waits, found);
            assertTrue(faults > 0, found);
            assertTrue(refusals >= faults && (!calm || refusals <= 2 * faults), found);
        }
    }

    private void requireFailed(MatrixCell cell) {
        boolean here = cell.deed().isAtClient();
        Completion failed = Objects.requireNonNull(
                sent.stream().filter(c -> !c.status().success()).findFirst().orElse(null), "all is well");
        assertEquals(here ? Status.LOCAL_PROTECTION_ERROR : Status.REMOTE_OPERATIONAL_ERROR, failed.status());
        assertTrue(failed.id() <= MatrixCell.ATOMICS, failed::toString);
        for (Completion c : sent) {
            assertTrue(c.status().success() == c.id() < failed.id(), sent::toString);
        }
        if (cell.deed().isSend() && !here) {
            assertEquals(Status.LOCAL_PROTECTION_ERROR, received.getFirst().status());
        }
        // No byte outside the deed's range was touched.
        assertArrayEquals(
                Arrays.copyOfRange(Exchange.pattern(SIZE, (int) (at >> 12) * 5 + 2), BEHIND, BEHIND + LENGTH_BEHIND),
                world.server.bytesAt(at + BEHIND, LENGTH_BEHIND));
    }

    @Override
    public void close() {
        world.close();
    }
}
