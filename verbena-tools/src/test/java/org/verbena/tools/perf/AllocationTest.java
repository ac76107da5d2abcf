package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.IdleStrategy;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.link.LinkSetting;
import org.verbena.verbs.AdapterOptions;

final class AllocationTest {
    @Test
    void everyByteOfTheCallingThreadIsSeenAndLookingCostsNone() {
        AllocationMeter meter = new AllocationMeter(List.of(), true);
        assertEquals(0, meter.allocated());
        byte[] bytes = new byte[100_000];
        assertTrue(meter.allocated() >= bytes.length);
        meter.begin();
        assertEquals(0, meter.allocated());
    }

    @Test
    void threadsAreFoundByTheirAdapter() {
        LocalSetting threads = LocalSetting.of(LinkKind.INPROCESS, PerfMode.BANDWIDTH)
                .withRun(AdapterOptions.Run.THREAD)
                .withIdle(IdleStrategy.PARK);
        PerfPlan plan = PerfPlan.of(PerfOperation.SEND, PerfMode.BANDWIDTH);
        LinkSetting.Pair links = Links.pair(threads);
        try (Side one = new Side(links.near(), threads, plan);
                Side other = new Side(links.far(), threads, plan);
                TargetThread _ = new TargetThread(other, Target.ELSEWHERE)) {
            String first = one.adapter().name();
            String second = other.adapter().name();
            assertEquals(1, new AllocationMeter(List.of(first), false).threads());
            assertEquals(4, new AllocationMeter(List.of(first, second), true).threads());
        }
    }

    /** Repeated until the compiler is done: the claim is about the steady state. */
    @ParameterizedTest
    @EnumSource(PerfOperation.class)
    @Timeout(60)
    void nothingIsAllocatedPerMessageInSteadyState(PerfOperation operation) {
        for (PerfMode mode : PerfMode.values()) {
            double least = Double.MAX_VALUE;
            for (int attempt = 0; attempt < 3 && least > 0.1; attempt++) {
                PerfPlan plan = PerfPlan.of(operation, mode)
                        .withSize(8)
                        .withExtents(WarmUp.untilCompiled(0.25, 6), Extent.ofSeconds(0.2));
                LocalSetting setting = LocalSetting.of(LinkKind.INPROCESS, mode).withThreads(1);
                PerfReport report = new LoopbackRun(plan, setting, new StopSign(), new Progress()).run();
                assertEquals(0, report.errors(), () -> String.valueOf(report.firstError()));
                least = Math.min(least, report.allocatedBytesPerMessage());
            }
            assertTrue(least <= 0.1, operation + " " + mode + ": " + least + " bytes per message");
        }
    }
}
