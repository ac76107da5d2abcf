package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.EventKind;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.exchange.OverSwitches;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** Connections by address and port to an end whose memory is paged: what each end knows of the other's retries and times. Over RoCE: iWARP has none. */
@OverSwitches
final class PagedPeerTest {
    private static final int PORT = 7174;
    private static final int PAGE = 4096;
    private static final long STORE_NS = 300_000_000;

    private final Sites sites = new Sites();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        sites.close();
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    /** Paged memory at a site, all of it in the store. */
    private final class Paged {
        final SimulatedPageStore store =
                new SimulatedPageStore(sites.clock, new ServiceTime(STORE_NS, 0, 0), new Seed(5));
        final Hypervisor hypervisor = Hypervisor.open(
                HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
        final ManagedMemory memory = hypervisor.host().allocate(4 * PAGE);
        final Region region;

        Paged(Site site) {
            memory.write(0, MemorySegment.ofArray(new byte[4 * PAGE]));
            region = site.adapter.register(site.domain, memory, 0x10_0000, EnumSet.allOf(Right.class));
            opened.addAll(List.of(hypervisor, memory, region));
            evict();
        }

        void evict() {
            assertEquals(0, Eviction.evict(hypervisor, store, memory, 0, 4));
        }
    }

    private void connect(QueuePair asking, ConnectionOptions asks, QueuePair accepting, ConnectionOptions accepts) {
        Site server = sites.b;
        try (Listener listener = Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    sites.a.adapter, server.at(PORT), asking, ConnectorOptions.DEFAULT.withConnection(asks));
            Connection there =
                    sites.get(listener.acceptAsync()).accept(accepting, AcceptOptions.DEFAULT.withConnection(accepts));
            sites.get(there.whenEstablished());
            sites.get(connecting);
        }
    }

    /** Each end names the retries of the other. The end with paged memory thus knows them, whichever end asked. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachEndKnowsThePeersRetries(boolean pagedAccepts) {
        ConnectionOptions usual = AcceptOptions.DEFAULT.connection();
        ConnectionOptions few = usual.withRnr(1, RnrTimer.US_640);
        QueuePair asking = sites.a.queuePair();
        QueuePair accepting = sites.b.queuePair();
        connect(asking, pagedAccepts ? usual : few, accepting, pagedAccepts ? few : usual);
        Site writing = pagedAccepts ? sites.a : sites.b;
        Site paging = pagedAccepts ? sites.b : sites.a;
        Paged paged = new Paged(paging);
        assertTrue((pagedAccepts ? asking : accepting)
                .post(new WorkRequest.Write(
                        1,
                        LocalSegment.of(writing.region, 0, 8),
                        RemoteMemory.of(paged.region).plus(8))));
        List<Completion> done = new ArrayList<>();
        sites.until(() -> {
            paged.store.work(sites.clock.nowNs());
            Completion next = writing.completions.poll();
            if (next != null) {
                done.add(next);
            }
            return !done.isEmpty();
        });
        assertNotNull(done.getFirst());
        assertEquals(Status.SUCCESS, done.getFirst().status());
        assertEquals(1, paging.adapter.counters().value(Counter.SENT_FAULT_RNR_NAKS));
    }

    private List<EventKind> warnings(Site site) {
        List<EventKind> found = new ArrayList<>();
        for (AsyncEvent e = site.adapter.events().poll();
                e != null;
                e = site.adapter.events().poll()) {
            if (e.kind() == EventKind.TIMEOUT_BELOW_FAULT_LIMIT) {
                found.add(e.kind());
            }
        }
        return found;
    }

    private void read(Paged paged, QueuePair asking) {
        assertTrue(asking.post(
                new WorkRequest.Read(1, LocalSegment.of(sites.a.region, 0, 8), RemoteMemory.of(paged.region))));
        sites.until(() -> {
            paged.store.work(sites.clock.nowNs());
            return sites.a.completions.poll() != null;
        });
    }

    /** The default options of both ends outlast a page fault; shorter ones of the end that asks apply to both, and are told. */
    @Test
    void theEndWithPagedMemorySaysWhenTheAgreedTimeIsTooShort() {
        new Paged(sites.b);
        ConnectionOptions usual = ConnectorOptions.DEFAULT.connection();
        connect(sites.a.queuePair(), usual, sites.b.queuePair(), AcceptOptions.DEFAULT.connection());
        sites.pass(1_000_000);
        assertEquals(List.of(), warnings(sites.b));
        ConnectionOptions hasty = usual.withRetries(3, Duration.ofMillis(500));
        connect(sites.a.queuePair(), hasty, sites.b.queuePair(), usual);
        sites.pass(1_000_000);
        assertEquals(1, warnings(sites.b).size());
        assertEquals(List.of(), warnings(sites.a), "it has no paged memory");
        connect(sites.a.queuePair(), usual, sites.b.queuePair(), hasty);
        sites.pass(1_000_000);
        assertEquals(List.of(), warnings(sites.b), "the times of the end that asked count");
    }

    /** Users without paged memory are not told; with wired memory neither. Memory that is registered later is told of at the first wait. */
    @Test
    void withoutPagedMemoryNothingIsTold() {
        Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN));
        ManagedMemory wired = hypervisor.host().allocateWired(PAGE);
        Site server = sites.b;
        opened.addAll(List.of(
                hypervisor,
                wired,
                server.adapter.register(server.domain, wired, 0x20_0000, EnumSet.allOf(Right.class))));
        ConnectionOptions hasty = ConnectionOptions.DEFAULT.withRetries(7, Duration.ofMillis(67));
        QueuePair asking = sites.a.queuePair();
        connect(asking, hasty, server.queuePair(), hasty);
        sites.pass(1_000_000);
        assertEquals(List.of(), warnings(server));
        Paged paged = new Paged(server);
        sites.pass(1_000_000);
        assertEquals(List.of(), warnings(server));
        read(paged, asking);
        assertEquals(1, warnings(server).size());
        paged.evict();
        read(paged, asking);
        assertEquals(List.of(), warnings(server), "once for a connection");
    }
}
