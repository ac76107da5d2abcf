package org.verbena.tools.link;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that opens links. */
public final class LinkOptions {
    @Option(names = "--capture", paramLabel = "FILE", description = "Write every packet to a pcapng file.")
    private @Nullable Path capture;

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            description = "Percentage of packets to lose on purpose, in both directions. Default: 0.")
    private double lossPercent;

    @Option(
            names = "--loss-seed",
            paramLabel = "N",
            description = "Seed of the losses: the same seed and the same packets give the same losses. Default: 1.")
    private long seed = 1;

    /** The setting that the options describe. @throws IllegalArgumentException that names the value found and the value expected */
    public LinkSetting setting() {
        if (!(lossPercent >= 0 && lossPercent < 100)) {
            throw new IllegalArgumentException("--loss " + lossPercent + " found, 0 to less than 100 expected");
        }
        return new LinkSetting(capture, lossPercent / 100, seed);
    }
}
