package org.verbena.tools.perf;

import java.util.List;
import org.verbena.Mtu;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;

/**
 * The initiator's process. Messages of the control connection: both greet; client {@code plan}, server {@code side},
 * client {@code side}, server {@code ready}; client {@code alive} now and then, {@code counting} after its warm-up, {@code
 * done} at the end; server {@code result}; client {@code report}.
 */
final class ClientRun {
    private final PerfPlan plan;
    private final LocalSetting setting;
    private final StopSign stop;
    private final Progress progress;
    private final ControlChannel channel;

    ClientRun(PerfPlan plan, LocalSetting setting, ControlChannel channel, StopSign stop, Progress progress) {
        this.plan = plan;
        this.setting = setting;
        this.stop = stop;
        this.progress = progress;
        this.channel = channel;
    }

    /** Carries it out on the calling thread. */
    PerfReport run() {
        channel.greet();
        channel.send(ControlCodec.plan(plan));
        SideAddress server = ControlCodec.side(channel.expect(ControlCodec.SIDE));
        try (Side side = new Side(Links.at(channel.localAddress(), setting), setting, plan)) {
            SideAddress own = agree(side, server);
            channel.send(ControlCodec.side(own));
            side.connect(server, own.mtu());
            Initiator test = Initiator.of(side, server, Target.ELSEWHERE, stop);
            channel.expect("ready");
            PerfReport mine = new Measurement(
                            plan, setting, List.of(side.adapter().name()), stop, progress)
                    .run(test, () -> channel.send(new ControlMessage("counting")));
            PerfReport all = include(mine);
            channel.send(ControlCodec.report(all));
            return all;
        }
    }

    private SideAddress agree(Side side, SideAddress server) {
        try {
            Mtu mtu = Agreement.mtu(plan, side.address().mtu(), server.mtu());
            return side.address().withMtu(mtu);
        } catch (ToolException e) {
            channel.refuse(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /** A server that is gone has nothing to add but that. */
    private PerfReport include(PerfReport mine) {
        try {
            channel.send(new ControlMessage("done"));
            ControlMessage result = channel.expect("result");
            return mine.with(
                    result.number("allocated", 0, Long.MAX_VALUE),
                    result.number("errors", 0, Long.MAX_VALUE),
                    result.fields().get("error"));
        } catch (ToolException e) {
            return mine.with(0, 1, e.getMessage());
        }
    }

    /** Tells the server that this end is alive; to be called about every second during the run. */
    void sayAlive() {
        try {
            channel.send(new ControlMessage(ControlChannel.ALIVE));
        } catch (ToolException e) {
            // The run itself finds out.
        }
    }
}
