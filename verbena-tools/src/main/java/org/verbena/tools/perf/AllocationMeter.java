package org.verbena.tools.perf;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Bytes allocated by the threads that move messages: consumers and engines. Looking allocates next to nothing itself. */
final class AllocationMeter {
    private final ThreadMXBean bean;
    private final long[] threads;
    private final long[] before;

    /**
     * Of the engines and targets of these adapters, found by their names.
     *
     * @param caller whether the calling thread counts too
     */
    AllocationMeter(List<String> adapters, boolean caller) {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean hotspot)) {
            throw new IllegalStateException("this JVM does not count the allocations of threads");
        }
        bean = hotspot;
        threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> (caller && thread.equals(Thread.currentThread()))
                        || adapters.contains(thread.getName().replaceFirst(TargetThread.SUFFIX + "$", "")))
                .mapToLong(Thread::threadId)
                .toArray();
        before = new long[threads.length];
        begin();
        allocated(); // Whatever the first look costs is paid now.
        begin();
    }

    /** Counts from here. */
    void begin() {
        for (int i = 0; i < threads.length; i++) {
            before[i] = bean.getThreadAllocatedBytes(threads[i]);
        }
    }

    /** Bytes since {@link #begin}. */
    long allocated() {
        long sum = 0;
        for (int i = 0; i < threads.length; i++) {
            sum += bean.getThreadAllocatedBytes(threads[i]) - before[i];
        }
        return sum;
    }

    int threads() {
        return threads.length;
    }
}
