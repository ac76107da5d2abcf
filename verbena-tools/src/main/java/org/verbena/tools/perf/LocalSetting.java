package org.verbena.tools.perf;

import java.nio.file.Path;
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
    /** What gives the best figures over UDP: the consumer drives the engine, each end on its own thread. */
    public static LocalSetting of(LinkKind link, PerfMode mode) {
        return new LocalSetting(link, AdapterOptions.Run.INLINE, IdleStrategy.SPIN, 2, null);
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

    boolean isInline() {
        return run == AdapterOptions.Run.INLINE;
    }
}
