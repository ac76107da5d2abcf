package org.verbena.tools.perf;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;

/** The target's process: one measurement with one client. {@link ClientRun} describes the control messages. */
final class ServerRun {
    private static final int ACCEPT_SLICE_MS = 200;

    private final PerfPlan wish;
    private final Set<String> insisted;
    private final LocalSetting setting;
    private final StopSign stop;
    private final Consumer<String> says;

    /**
     * @param wish the options given to this end
     * @param insisted fields of the plan, by their names in {@link ControlCodec#plan}, that the client must agree on
     * @param says takes the lines to show
     */
    ServerRun(PerfPlan wish, Set<String> insisted, LocalSetting setting, StopSign stop, Consumer<String> says) {
        this.wish = wish;
        this.insisted = insisted;
        this.setting = setting;
        this.stop = stop;
        this.says = says;
    }

    /**
     * Waits for a client and serves it; null if the stop sign went up before one came.
     *
     * @throws ToolException if the port cannot be had, or the measurement came to nothing
     */
    @Nullable
    PerfReport run(int port) {
        try (ServerSocket listener = listen(port)) {
            listener.setSoTimeout(ACCEPT_SLICE_MS);
            says.accept("serving " + wish.operation() + " on port " + listener.getLocalPort()
                    + "; the client is 'verbena perf " + wish.operation() + " HOST --port " + listener.getLocalPort()
                    + "'");
            while (!stop.isRaised()) {
                try (ControlChannel channel = new ControlChannel(listener.accept(), stop)) {
                    if (greets(channel)) {
                        return serve(channel);
                    }
                } catch (SocketTimeoutException slice) {
                    // Checks the stop sign and waits again.
                }
            }
            return null;
        } catch (IOException e) {
            throw new ToolException("cannot serve on port " + port + ": " + e.getMessage(), e);
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port);
    }

    /** A connection that is not from a perf client does not end the wait for a client. */
    private boolean greets(ControlChannel channel) {
        try {
            channel.greet();
            return true;
        } catch (ToolException stranger) {
            says.accept(stranger.getMessage() + "; waiting on");
            return false;
        }
    }

    private PerfReport serve(ControlChannel channel) {
        try {
            PerfPlan plan = agree(channel.expect(ControlCodec.PLAN));
            try (Side side = new Side(Links.at(channel.localAddress(), setting), setting, plan)) {
                channel.send(ControlCodec.side(side.address()));
                return serve(channel, side);
            }
        } catch (IllegalArgumentException | ToolException e) {
            tell(channel, e);
            throw e;
        }
    }

    private static void tell(ControlChannel channel, RuntimeException reason) {
        try {
            channel.refuse(String.valueOf(reason.getMessage()));
        } catch (ToolException gone) {
            // It is the one that left.
        }
    }

    private PerfPlan agree(ControlMessage asked) {
        ControlMessage expected = ControlCodec.plan(wish);
        for (String field : insisted) {
            if (!asked.text(field).equals(expected.text(field))) {
                throw new ToolException(field + " " + asked.text(field) + " asked for by the client, "
                        + expected.text(field) + " expected by the server");
            }
        }
        PerfPlan plan = ControlCodec.plan(asked);
        PerfPlan.require("memory for size and depth", new Layout(plan).bytes(), 0, Layout.BYTES_MAX);
        return plan;
    }

    private PerfReport serve(ControlChannel channel, Side side) {
        SideAddress client = ControlCodec.side(channel.expect(ControlCodec.SIDE));
        side.accept(client, client.mtu());
        Tally tally = new Tally();
        Target target = Target.of(side, client, tally);
        long allocated;
        if (setting.isInline() || target.needsConsumer()) {
            try (TargetThread _ = new TargetThread(side, target)) {
                allocated = attend(channel, side);
            }
        } else {
            allocated = attend(channel, side);
        }
        channel.send(result(tally, allocated));
        return ControlCodec.report(channel.expect(ControlCodec.REPORT), side.plan(), setting.link());
    }

    /** Listens to the client until it is done; bytes allocated here since it began to count. */
    private static long attend(ControlChannel channel, Side side) {
        AllocationMeter meter = new AllocationMeter(List.of(side.adapter().name()), false);
        channel.send(new ControlMessage("ready"));
        while (true) {
            ControlMessage message = channel.receive();
            switch (message.word()) {
                case ControlChannel.ALIVE -> {}
                case "counting" -> meter.begin();
                case "done" -> {
                    return meter.allocated();
                }
                default ->
                    throw new ToolException(
                            channel.peer() + " said \"" + message.word() + "\", \"alive\" or \"done\" expected");
            }
        }
    }

    private static ControlMessage result(Tally tally, long allocated) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("allocated", "" + allocated);
        fields.put("errors", "" + tally.errors());
        String error = tally.firstError();
        if (error != null) {
            fields.put("error", error);
        }
        return new ControlMessage("result", fields);
    }
}
