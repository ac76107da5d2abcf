package org.verbena.tools.perf;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.link.Endpoint;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.RemoteMemory;

/** Plans, ends and reports as control messages. Everything read is checked: it comes from another machine. */
final class ControlCodec {
    static final String PLAN = "plan";
    static final String SIDE = "side";
    static final String REPORT = "report";

    private static final int BITS_24 = 0xff_ffff;

    private ControlCodec() {}

    static ControlMessage plan(PerfPlan plan) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("op", plan.operation().toString());
        fields.put("mode", plan.mode().toString());
        fields.put("size", "" + plan.size());
        fields.put("warmup", "" + plan.warmUp().leastNs());
        fields.put("warmup-most", "" + plan.warmUp().mostNs());
        fields.put("iters", "" + plan.measured().messages());
        fields.put("duration", "" + plan.measured().durationNs());
        fields.put("depth", "" + plan.depth());
        fields.put("signal", "" + plan.signalEvery());
        fields.put("inline", "" + plan.inlineMax());
        fields.put("mtu", "" + (plan.mtu() == null ? 0 : plan.mtu().bytes()));
        fields.put("verify", "" + plan.verify());
        return new ControlMessage(PLAN, fields);
    }

    /** @throws ToolException if it is no plan that can be carried out */
    static PerfPlan plan(ControlMessage message) {
        try {
            return new PerfPlan(
                    choice(PerfOperation.values(), message, "op"),
                    choice(PerfMode.values(), message, "mode"),
                    message.number("size", 0, PerfPlan.SIZE_MAX),
                    new WarmUp(
                            message.number("warmup", 0, Long.MAX_VALUE),
                            message.number("warmup-most", 0, Long.MAX_VALUE)),
                    new Extent(
                            message.number("iters", 1, Long.MAX_VALUE), message.number("duration", 1, Long.MAX_VALUE)),
                    (int) message.number("depth", 1, PerfPlan.DEPTH_MAX),
                    (int) message.number("signal", 1, PerfPlan.DEPTH_MAX),
                    (int) message.number("inline", 0, PerfPlan.INLINE_MAX),
                    message.number("mtu", 0, 4096) == 0 ? null : mtu(message),
                    Boolean.parseBoolean(message.text("verify")));
        } catch (IllegalArgumentException e) {
            throw new ToolException(String.valueOf(e.getMessage()), e);
        }
    }

    private static <E> E choice(E[] all, ControlMessage message, String name) {
        return choice(all, message.text(name)::equals, name + " \"" + message.text(name) + "\"");
    }

    private static <E> E choice(E[] all, Predicate<String> wanted, String what) {
        return Arrays.stream(all)
                .filter(one -> wanted.test(one.toString()))
                .findFirst()
                .orElseThrow(() -> new ToolException(what + " found, one of " + Arrays.toString(all) + " expected"));
    }

    private static Mtu mtu(ControlMessage message) {
        long bytes = message.number("mtu", 256, 4096);
        Mtu mtu = Mtu.atMost((int) bytes);
        if (mtu == null || mtu.bytes() != bytes) {
            throw new ToolException("mtu " + bytes + " found, 256, 512, 1024, 2048 or 4096 expected");
        }
        return mtu;
    }

    static ControlMessage side(SideAddress side) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("address", withoutScope(side.queuePair().endpoint()));
        fields.put("port", "" + side.queuePair().endpoint().port());
        fields.put("qp", "" + side.queuePair().number());
        fields.put("psn", "" + side.queuePair().firstPsn());
        fields.put("memory", "" + side.landing().address());
        fields.put("key", "" + side.landing().key());
        fields.put("mtu", "" + side.mtu().bytes());
        return new ControlMessage(SIDE, fields);
    }

    /** The name of an interface means nothing on another machine. */
    private static String withoutScope(Endpoint endpoint) {
        return endpoint.address().getHostAddress().replaceFirst("%.*", "");
    }

    static SideAddress side(ControlMessage message) {
        String address = message.text("address");
        // Only addresses that need no name service: colons and dots between hexadecimal digits.
        if (!address.matches("[0-9a-fA-F:.]+")) {
            throw new ToolException("address \"" + address + "\" found, a literal one expected");
        }
        Endpoint endpoint = Endpoint.of(address, (int) message.number("port", 1, 0xffff));
        return new SideAddress(
                new QueuePairAddress(
                        endpoint, (int) message.number("qp", 0, BITS_24), (int) message.number("psn", 0, BITS_24)),
                new RemoteMemory(message.number("memory", Long.MIN_VALUE, Long.MAX_VALUE), (int)
                        message.number("key", Integer.MIN_VALUE, Integer.MAX_VALUE)),
                mtu(message));
    }

    static ControlMessage report(PerfReport report) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("messages", "" + report.messages());
        fields.put("seconds", "" + report.seconds());
        fields.put("min", "" + report.timesUs().min());
        fields.put("p50", "" + report.timesUs().p50());
        fields.put("p99", "" + report.timesUs().p99());
        fields.put("p999", "" + report.timesUs().p999());
        fields.put("max", "" + report.timesUs().max());
        fields.put("allocated", "" + report.allocatedBytes());
        fields.put("errors", "" + report.errors());
        @Nullable String error = report.firstError();
        if (error != null) {
            fields.put("error", error.substring(0, Math.min(200, error.length())));
        }
        return new ControlMessage(REPORT, fields);
    }

    /** The report of a plan that both ends know. */
    static PerfReport report(ControlMessage message, PerfPlan plan, LinkKind link) {
        return new PerfReport(
                plan.operation(),
                plan.mode(),
                link,
                plan.size(),
                message.number("messages", 0, Long.MAX_VALUE),
                message.decimal("seconds"),
                new PerfReport.Times(
                        message.decimal("min"),
                        message.decimal("p50"),
                        message.decimal("p99"),
                        message.decimal("p999"),
                        message.decimal("max")),
                message.number("allocated", 0, Long.MAX_VALUE),
                message.number("errors", 0, Long.MAX_VALUE),
                message.fields().get("error"));
    }
}
