package org.verbena.tools.perf;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** Whether the just-in-time compiler is still busy with what runs. Asked from time to time. */
final class CompilerWatch {
    /** Less than this in a period is not about what runs over and over. */
    private static final long QUIET_MS = 5;

    private static final int QUIET_PERIODS = 3;

    private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private long lastMs = totalMs();
    private int quiet;

    private long totalMs() {
        return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
                ? 0
                : compiler.getTotalCompilationTime();
    }

    /** A period is over; true if it was one of several in a row in which next to nothing was compiled. */
    boolean hasSettled() {
        long nowMs = totalMs();
        quiet = nowMs - lastMs <= QUIET_MS ? quiet + 1 : 0;
        lastMs = nowMs;
        return quiet >= QUIET_PERIODS;
    }
}
