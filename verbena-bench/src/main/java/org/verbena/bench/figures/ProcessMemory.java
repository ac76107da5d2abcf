package org.verbena.bench.figures;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Memory and CPU time of this process, on Linux. With {@link #OPTIONS} the whole heap is resident from the beginning, so that the resident memory changes
 * only outside the heap.
 */
final class ProcessMemory {
    /** Options of a virtual machine whose memory is measured. */
    static final List<String> OPTIONS = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

    private static final int COLLECTIONS = 3;
    private static final long SETTLE_MS = 200;

    private ProcessMemory() {}

    /** Bytes of the objects that are alive, after collections. */
    static long liveHeapBytes() throws InterruptedException {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(SETTLE_MS); // cleaners free memory outside the heap
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Bytes of this process that are in memory. */
    static long residentBytes() throws IOException {
        return field(Path.of("/proc/self/status"), "VmRSS:");
    }

    /** Bytes that the kernel has allocated for its objects, sockets among them. */
    static long kernelBytes() throws IOException {
        return field(Path.of("/proc/meminfo"), "Slab:");
    }

    private static long field(Path file, String name) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        throw new MeasurementException("no " + name + " in " + file);
    }

    /** Percent of a core that this process uses meanwhile. */
    static double percentOfACore(long milliseconds) throws InterruptedException {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpuNs = system.getProcessCpuTime();
        long startNs = System.nanoTime();
        Thread.sleep(milliseconds);
        return 100.0 * (system.getProcessCpuTime() - cpuNs) / (System.nanoTime() - startNs);
    }
}
