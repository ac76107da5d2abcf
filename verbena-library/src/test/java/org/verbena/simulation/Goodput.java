package org.verbena.simulation;

import java.util.List;
import java.util.Locale;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;

/** How much of the goodput of a lossless network is left at a rate of loss, in virtual time. */
final class Goodput {
    /** 10 µs each way, 10 Gbit/s. */
    private static final SimulatedWire WIRE = new SimulatedWire(10_000, 1_250_000_000L, 64);

    /** Loss in per cent of all packets, both ways. */
    static final List<String> LOSSES = List.of("0", "0.01", "0.1", "1", "2", "5", "10");

    /** A column of the table. */
    enum Stream {
        WRITE_64K("64 KiB writes", StreamWorkload.Kind.WRITE, 65_536, 16, 8_000),
        READ_64K("64 KiB reads", StreamWorkload.Kind.READ, 65_536, 16, 8_000),
        SEND_256("256 B sends", StreamWorkload.Kind.SEND, 256, 128, 128_000);

        private final String title;
        private final StreamWorkload.Kind kind;
        private final long size;
        private final int depth;
        private final long messages;

        Stream(String title, StreamWorkload.Kind kind, long size, int depth, long messages) {
            this.title = title;
            this.kind = kind;
            this.size = size;
            this.depth = depth;
            this.messages = messages;
        }

        String title() {
            return title;
        }

        int depth() {
            return depth;
        }
    }

    /** One measurement. */
    record Sample(double bytesPerSecond, long packets, long resent, long probes, long timeouts) {}

    private Goodput() {}

    static Sample measure(Stream stream, String lossPercent) {
        LinkFaults faults = LinkFaults.loss(Double.parseDouble(lossPercent) / 100);
        try (World world = new World(new Seed(1), WIRE, faults, 2)) {
            var workload = new StreamWorkload(world, stream.kind, stream.size, stream.depth, stream.messages);
            long startNs = world.nowNs();
            world.run(workload);
            double seconds = (workload.endNs() - startNs) / 1e9;
            return new Sample(
                    stream.size * stream.messages / seconds,
                    world.trace().packets(),
                    world.total(Counter.RETRANSMITTED_PACKETS),
                    world.total(Counter.PROBES),
                    world.total(Counter.ACK_TIMEOUTS));
        }
    }

    /** The table as it stands in the documentation. */
    static String table() {
        var text = new StringBuilder("| loss |");
        for (Stream stream : Stream.values()) {
            text.append(' ').append(stream.title).append(" |");
        }
        text.append("\n|---:|").append("---:|".repeat(Stream.values().length)).append('\n');
        double[] lossless = new double[Stream.values().length];
        for (String loss : LOSSES) {
            text.append("| ").append(loss).append(" % |");
            for (Stream stream : Stream.values()) {
                double found = measure(stream, loss).bytesPerSecond();
                if (loss.equals("0")) {
                    lossless[stream.ordinal()] = found;
                    text.append(String.format(Locale.ROOT, " %.2f Gbit/s |", found * 8 / 1e9));
                } else {
                    text.append(String.format(Locale.ROOT, " %.1f %% |", found * 100 / lossless[stream.ordinal()]));
                }
            }
            text.append('\n');
        }
        return text.toString();
    }
}
