package org.verbena.memory.hypervisor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.store.FilePageStore;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.StoreOptions;
import org.verbena.time.NanoClock;
import org.verbena.trace.MetricRegistry;

/**
 * How a hypervisor is opened. Immutable; the {@code with} methods give changed copies.
 *
 * @param memory bytes of machine memory at first
 * @param memoryMax bytes of machine memory it can be resized to; only address space is taken for the difference
 * @param store makes the page store, which the hypervisor closes
 * @param policy how frames are chosen to lose their pages
 * @param waitLimit how long a consumer's own access waits while no page comes, by the store's clock; then it is refused
 * @param name of the machine memory in metrics
 * @param metrics the registry of its metrics
 */
public record HypervisorOptions(
        long memory,
        long memoryMax,
        Supplier<PageStore> store,
        Hypervisor.Policy policy,
        Duration waitLimit,
        String name,
        MetricRegistry metrics) {
    /** The smallest size of machine memory that can be paged. */
    public static final long MEMORY_MIN = 1 << 20;

    /**
     * The largest size of machine memory, and of a guest's physical memory: 1 TiB. The word of a page has no space for a
     * higher frame number.
     */
    public static final long MEMORY_LIMIT = (long) PageWord.FRAMES_MAX * PageStore.PAGE;

    /** The default of the longest wait for a page, of a consumer and of a queue pair. */
    public static final Duration WAIT_LIMIT = Duration.ofSeconds(5);

    private static final Duration WAIT_LIMIT_MOST = Duration.ofDays(365);

    public HypervisorOptions {
        if (memory < MEMORY_MIN) {
            throw new IllegalArgumentException(
                    "machine memory to be paged has at least " + MEMORY_MIN + " bytes; found " + memory);
        }
        if (memoryMax < memory) {
            throw new IllegalArgumentException(
                    "at most " + memoryMax + " bytes of machine memory found, and " + memory + " at first");
        }
        if (memoryMax > MEMORY_LIMIT) {
            throw new IllegalArgumentException("machine memory to be paged has at most 1 TiB, " + MEMORY_LIMIT
                    + " bytes; found " + memory + " bytes that can grow to " + memoryMax);
        }
        if (!waitLimit.isPositive() || waitLimit.compareTo(WAIT_LIMIT_MOST) > 0) {
            throw new IllegalArgumentException("the time limit of a wait for a page is positive and at most "
                    + WAIT_LIMIT_MOST + "; found " + waitLimit);
        }
    }

    /** Machine memory of this size, a page store in a file in the system's directory for temporary files, S3-FIFO. */
    public static HypervisorOptions of(long memory) {
        return new HypervisorOptions(
                memory,
                memory,
                HypervisorOptions::temporary,
                Hypervisor.Policy.S3_FIFO,
                WAIT_LIMIT,
                "memory0",
                MetricRegistry.process());
    }

    private static PageStore temporary() {
        return file(StoreOptions.at(Path.of(System.getProperty("java.io.tmpdir", "."))));
    }

    private static PageStore file(StoreOptions options) {
        return FilePageStore.open(options, NanoClock.system());
    }

    /** With a larger size that {@link Hypervisor#resize} can set. */
    public HypervisorOptions withMemoryMax(long bytes) {
        return new HypervisorOptions(memory, bytes, store, policy, waitLimit, name, metrics);
    }

    /** With a store in a file, made when the hypervisor is opened. */
    public HypervisorOptions withStore(StoreOptions file) {
        return new HypervisorOptions(memory, memoryMax, () -> file(file), policy, waitLimit, name, metrics);
    }

    /** With a page store that exists; one hypervisor can be opened with these options. */
    public HypervisorOptions withStore(PageStore own) {
        return new HypervisorOptions(memory, memoryMax, () -> own, policy, waitLimit, name, metrics);
    }

    /** With another limit of waiting, for a slow page store or slow drivers of guests. */
    public HypervisorOptions withWaitLimit(Duration limit) {
        return new HypervisorOptions(memory, memoryMax, store, policy, limit, name, metrics);
    }

    /** With another eviction policy. */
    public HypervisorOptions withPolicy(Hypervisor.Policy other) {
        return new HypervisorOptions(memory, memoryMax, store, other, waitLimit, name, metrics);
    }

    /** With another name and registry of metrics. */
    public HypervisorOptions withMetrics(String named, MetricRegistry registry) {
        return new HypervisorOptions(memory, memoryMax, store, policy, waitLimit, named, registry);
    }
}
