package org.verbena.tools.perf;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.verbena.queue.IdleStrategy;
import org.verbena.verbs.AdapterOptions;

/**
 * How one process does its part; the other end need not know.
 *
 * @param link what carries the packets
 * @param run whose thread drives the engine
 * @param idle what a thread does that has nothing to do
 * @param threads consumer threads when both ends are in this process: 1 has them take turns
 * @param capture where packets are written to, if at all
 */
public record LocalSetting(
        LinkKind link,
        AdapterOptions.Run run,
        IdleStrategy idle,
        int threads,
        @Nullable Path capture) {
    /**
     * What gives the best figures: the consumer drives the engine as it polls. Over sockets each end has a thread, since
     * the system's part of sending and receiving goes on at once; within the process a packet is there sooner than another
     * core would see it.
     */
    public static LocalSetting of(LinkKind link, PerfMode mode) {
        int threads = link == LinkKind.INPROCESS ? 1 : 2;
        return new LocalSetting(link, AdapterOptions.Run.INLINE, IdleStrategy.SPIN, threads, null);
    }

    public LocalSetting withRun(AdapterOptions.Run other) {
        return new LocalSetting(link, other, idle, threads, capture);
    }

    public LocalSetting withIdle(IdleStrategy other) {
        return new LocalSetting(link, run, other, threads, capture);
    }

    public LocalSetting withThreads(int count) {
        return new LocalSetting(link, run, idle, count, capture);
    }

    public LocalSetting withCapture(@Nullable Path file) {
        return new LocalSetting(link, run, idle, threads, file);
    }

    /** For people. */
    String describe() {
        String engines = isInline() ? "engine driven by the consumer's polls" : "engine on its own thread";
        return engines + ", idle " + idle.name().toLowerCase(Locale.ROOT).replace("_", "");
    }

    boolean isInline() {
        return run == AdapterOptions.Run.INLINE;
    }
}
