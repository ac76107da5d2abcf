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
            description = "Lose so many packets of a hundred on purpose, both ways. Default: 0.")
    private double lossPercent;

    @Option(
            names = "--loss-seed",
            paramLabel = "N",
            description = "Which ones: the same seed and the same packets, the same losses. Default: 1.")
    private long seed = 1;

    /** What was asked for. @throws IllegalArgumentException that says what was found and what was expected */
    public LinkSetting setting() {
        if (!(lossPercent >= 0 && lossPercent < 100)) {
            throw new IllegalArgumentException("--loss " + lossPercent + " found, 0 to less than 100 expected");
        }
        return new LinkSetting(capture, lossPercent / 100, seed);
    }
}
