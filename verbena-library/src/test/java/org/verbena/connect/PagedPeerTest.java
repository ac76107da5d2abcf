package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** Connections by address and port to an end whose memory is paged: what each end knows of the other's retries. Over RoCE: iWARP has none. */
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
        final Region region;

        Paged(Site site) {
            Hypervisor hypervisor = Hypervisor.open(
                    HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
            ManagedMemory memory = hypervisor.host().allocate(4 * PAGE);
            memory.write(0, MemorySegment.ofArray(new byte[4 * PAGE]));
            region = site.adapter.register(site.domain, memory, 0x10_0000, EnumSet.allOf(Right.class));
            assertEquals(0, Eviction.evict(hypervisor, store, memory, 0, 4));
            opened.addAll(List.of(hypervisor, memory, region));
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
}
