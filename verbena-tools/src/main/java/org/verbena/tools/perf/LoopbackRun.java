package org.verbena.tools.perf;

import java.util.List;
import org.verbena.Mtu;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.link.LinkSetting;
import org.verbena.tools.link.Place;

/** A measurement with both ends in this process. */
public final class LoopbackRun {
    private final PerfPlan plan;
    private final LocalSetting setting;
    private final StopSign stop;
    private final Progress progress;

    public LoopbackRun(PerfPlan plan, LocalSetting setting, StopSign stop, Progress progress) {
        this.plan = plan;
        this.setting = setting;
        this.stop = stop;
        this.progress = progress;
    }

    /** Carries it out on the calling thread. */
    public PerfReport run() {
        LinkSetting.Pair links = Links.pair(setting);
        try (Side target = open(links.far(), links.near());
                Side initiator = new Side(links.near(), setting, plan)) {
            Mtu mtu = Agreement.mtu(
                    plan, initiator.address().mtu(), target.address().mtu());
            Side.connect(initiator, target, mtu);
            return measure(initiator, target);
        }
    }

    /** A side that cannot be made closes its link, but not the one that was to become the other side's. */
    private Side open(Place place, Place other) {
        try {
            return new Side(place, setting, plan);
        } catch (RuntimeException e) {
            other.close();
            throw e;
        }
    }

    private PerfReport measure(Side initiator, Side target) {
        Tally targetTally = new Tally();
        Target other = Target.of(target, initiator.address(), targetTally);
        boolean together = setting.threads() == 1;
        boolean alone = !together && (setting.isInline() || other.needsConsumer());
        Initiator test = Initiator.of(initiator, target.address(), together ? other : Target.ELSEWHERE, stop);
        List<String> adapters =
                List.of(initiator.adapter().name(), target.adapter().name());
        PerfReport report;
        if (alone) {
            try (TargetThread _ = new TargetThread(target, other)) {
                report = new Measurement(plan, setting, adapters, stop, progress).run(test, () -> {});
            }
        } else {
            report = new Measurement(plan, setting, adapters, stop, progress).run(test, () -> {});
        }
        return report.with(0, targetTally.errors(), targetTally.firstError());
    }
}
