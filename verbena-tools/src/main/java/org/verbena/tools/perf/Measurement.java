package org.verbena.tools.perf;

import java.util.List;

/** The course of a measurement at the initiator: warm up, then count. */
final class Measurement {
    private final PerfPlan plan;
    private final LocalSetting setting;
    private final List<String> adapters;
    private final Progress progress;

    /** @param adapters names of those whose threads' allocations count */
    Measurement(PerfPlan plan, LocalSetting setting, List<String> adapters, Progress progress) {
        this.plan = plan;
        this.setting = setting;
        this.adapters = adapters;
        this.progress = progress;
    }

    /** @param beforeCounting called once the warm-up is over */
    PerfReport run(Initiator test, Runnable beforeCounting) {
        Tally warm = new Tally();
        Tally counted = new Tally();
        if (!plan.warmUp().isNothing()) {
            progress.onPhase("warming up", plan, warm);
            test.run(plan.warmUp(), warm);
        }
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
}
