package org.verbena.tools.perf;

import java.util.List;
import org.verbena.tools.console.StopSign;

/** The course of a measurement at the initiator: warm up, then count. */
final class Measurement {
    private static final long SLICE_NS = 250_000_000;

    private final PerfPlan plan;
    private final LocalSetting setting;
    private final List<String> adapters;
    private final StopSign stop;
    private final Progress progress;

    /** @param adapters names of the adapters whose threads' allocations count */
    Measurement(PerfPlan plan, LocalSetting setting, List<String> adapters, StopSign stop, Progress progress) {
        this.plan = plan;
        this.setting = setting;
        this.adapters = adapters;
        this.stop = stop;
        this.progress = progress;
    }

    /** @param beforeCounting called once the warm-up is over */
    PerfReport run(Initiator test, Runnable beforeCounting) {
        Tally warm = new Tally();
        Tally counted = new Tally();
        progress.onPhase("warming up", plan, warm);
        warmUp(test, warm);
        beforeCounting.run();
        progress.onPhase("measuring", plan, counted);
        AllocationMeter meter = new AllocationMeter(adapters, true);
        if (!warm.hasFailed()) {
            test.run(plan.measured(), counted);
        }
        long allocated = meter.allocated();
        counted.include(warm);
        return PerfReport.of(plan, setting.link(), counted, allocated);
    }

    /** In slices, so that the compiler can be watched, and so that compiled code of the measurement is entered often enough. */
    private void warmUp(Initiator test, Tally warm) {
        CompilerWatch compiler = new CompilerWatch();
        long leftNs = plan.warmUp().mostNs();
        long dutyNs = plan.warmUp().leastNs();
        boolean settled = false;
        while (leftNs > 0 && !(settled && dutyNs <= 0) && !warm.hasFailed() && !stop.isRaised()) {
            long sliceNs = Math.min(SLICE_NS, leftNs);
            test.run(new Extent(Long.MAX_VALUE, sliceNs), warm);
            leftNs -= sliceNs;
            dutyNs -= sliceNs;
            settled = compiler.hasSettled();
        }
    }
}
