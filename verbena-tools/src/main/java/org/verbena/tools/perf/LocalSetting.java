package org.verbena.tools.perf;

import java.util.Locale;
import org.verbena.IdleStrategy;
import org.verbena.tools.link.LinkSetting;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.IwarpOptions;

/**
 * The settings of one process, which the other end need not know.
 *
 * @param link the kind of link
 * @param run how the engine runs
 * @param idle strategy of a thread without work
 * @param threads consumer threads when both ends are in this process: 1 has them take turns
 * @param memory the memory of the messages
 * @param wrapping the wrappers around this end's link; in a loopback around the initiator's
 * @param iwarp how streams are opened, with a link of {@link LinkKind#TCP}
 */
public record LocalSetting(
        LinkKind link,
        AdapterOptions.Run run,
        IdleStrategy idle,
        int threads,
        MemoryChoice memory,
        LinkSetting wrapping,
        IwarpOptions iwarp) {
    /**
     * The defaults of the library, so that the figures are those of a first program. Over sockets each end has a thread, so that
     * the system calls of both run at the same time; within the process a packet arrives sooner than another core would see it.
     */
    public static LocalSetting of(LinkKind link, PerfMode mode) {
        int threads = link == LinkKind.INPROCESS ? 1 : 2;
        AdapterOptions defaults = AdapterOptions.DEFAULT;
        return new LocalSetting(
                link,
                defaults.run(),
                defaults.idle(),
                threads,
                MemoryChoice.FOREIGN,
                LinkSetting.PLAIN,
                IwarpOptions.DEFAULT);
    }

    public LocalSetting withRun(AdapterOptions.Run other) {
        return new LocalSetting(link, other, idle, threads, memory, wrapping, iwarp);
    }

    public LocalSetting withIdle(IdleStrategy other) {
        return new LocalSetting(link, run, other, threads, memory, wrapping, iwarp);
    }

    public LocalSetting withThreads(int count) {
        return new LocalSetting(link, run, idle, count, memory, wrapping, iwarp);
    }

    public LocalSetting withMemory(MemoryChoice other) {
        return new LocalSetting(link, run, idle, threads, other, wrapping, iwarp);
    }

    public LocalSetting withWrapping(LinkSetting other) {
        return new LocalSetting(link, run, idle, threads, memory, other, iwarp);
    }

    public LocalSetting withIwarp(IwarpOptions other) {
        return new LocalSetting(link, run, idle, threads, memory, wrapping, other);
    }

    /** For people. */
    String describe() {
        String engines = switch (run) {
            case SHARED -> "engine driven by the consumer's polls, and by its thread between them";
            case INLINE -> "engine driven by the consumer's polls";
            case THREAD -> "engine on its own thread";
            case MANUAL -> "engine run by hand";
        };
        return engines + ", idle " + idle.name().toLowerCase(Locale.ROOT).replace("_", "") + ", memory " + memory;
    }

    /** Whether nothing but the consumer's polls drives the engine. */
    boolean isInline() {
        return run == AdapterOptions.Run.INLINE;
    }

    /** Whether the consumer's polls drive the engine. */
    boolean isDrivenByPolls() {
        return run == AdapterOptions.Run.INLINE || run == AdapterOptions.Run.SHARED;
    }
}
