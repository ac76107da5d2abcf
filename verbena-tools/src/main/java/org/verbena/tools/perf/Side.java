package org.verbena.tools.perf;

import java.time.Duration;
import org.verbena.Mtu;
import org.verbena.link.Link;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;

/** One end of a measurement: an adapter with memory, a queue pair and the completion queue of both its directions. */
final class Side implements AutoCloseable {
    private static final int READS_MAX = 128;

    /** Probes find losses much sooner; this time is for a peer whose threads wait for a core. */
    private static final Duration ACK_TIMEOUT = Duration.ofMillis(537);

    private final PerfPlan plan;
    private final LocalSetting setting;
    private final Layout layout;
    private final MessageMemory memory;
    private final Adapter adapter;
    private final Region region;
    private final CompletionQueue completions;
    private final QueuePair queuePair;

    /** On a link, which it closes. */
    Side(Link link, LocalSetting setting, PerfPlan plan) {
        this.plan = plan;
        this.setting = setting;
        this.layout = new Layout(plan);
        this.adapter = Adapter.open(
                link,
                AdapterOptions.DEFAULT
                        .withName("perf " + link.local())
                        .withRun(setting.run())
                        .withIdle(setting.idle()));
        this.memory = allocate();
        try {
            ProtectionDomain domain = adapter.createProtectionDomain();
            region = memory.register(adapter, domain);
            // A verified write is two requests, and room for twice as many costs little.
            int sends = 4 * plan.depth();
            completions = adapter.createCompletionQueue(sends + layout.receives());
            queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                    .withCapacity(sends, layout.receives())
                    .withSegmentsMax(1)
                    .withInlineMax(plan.inlineMax()));
        } catch (RuntimeException e) {
            adapter.close();
            throw e;
        }
    }

    private MessageMemory allocate() {
        try {
            return new MessageMemory(setting.memory(), layout.bytes());
        } catch (RuntimeException e) {
            adapter.close();
            throw e;
        }
    }

    SideAddress address() {
        return new SideAddress(queuePair.address(), RemoteMemory.of(region).plus(layout.landing(0)), adapter.mtuMax());
    }

    void connect(SideAddress peer, Mtu mtu) {
        int reads = Math.clamp(plan.depth(), 16, READS_MAX);
        queuePair.connect(
                peer.queuePair(),
                ConnectionOptions.DEFAULT.withMtu(mtu).withReads(reads, reads).withRetries(7, ACK_TIMEOUT));
    }

    PerfPlan plan() {
        return plan;
    }

    LocalSetting setting() {
        return setting;
    }

    Layout layout() {
        return layout;
    }

    MessageMemory memory() {
        return memory;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    CompletionQueue completions() {
        return completions;
    }

    Adapter adapter() {
        return adapter;
    }

    /** The memory that the message is gathered from. */
    LocalSegment source(long message) {
        return LocalSegment.of(region, layout.source(message), layout.size());
    }

    /** The memory that the message fills. */
    LocalSegment landing(long message) {
        return LocalSegment.of(region, layout.landing(message), layout.size());
    }

    @Override
    public void close() {
        adapter.close();
        region.close();
        memory.close();
    }
}
