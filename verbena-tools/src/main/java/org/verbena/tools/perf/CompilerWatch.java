package org.verbena.tools.perf;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** Tells whether the just-in-time compiler still compiles the code that runs. Asked from time to time. */
final class CompilerWatch {
    /** Compilation time in a period below which the hot code counts as compiled. */
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

    /** Ends a period; true if it was one of several in a row in which almost nothing was compiled. */
    boolean hasSettled() {
        long nowMs = totalMs();
        quiet = nowMs - lastMs <= QUIET_MS ? quiet + 1 : 0;
        lastMs = nowMs;
        return quiet >= QUIET_PERIODS;
    }
}
