package org.verbena.tools.link;

import org.verbena.verbs.IwarpOptions;
import picocli.CommandLine.Option;

/** Options of commands that can speak iWARP. */
public final class IwarpSetting {
    @Option(names = "--mpa", paramLabel = "N", description = "iWARP: revision of MPA to ask for, 1 or 2. Default: 2.")
    private int revision = IwarpOptions.DEFAULT.revision();

    @Option(
            names = "--crc",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "iWARP: ask for check sums (default), or not: --no-crc. They are used if one end asks.")
    private boolean crc = true;

    /** The options that they describe. @throws IllegalArgumentException that names the value found and the value expected */
    public IwarpOptions options() {
        if (revision != 1 && revision != 2) {
            throw new IllegalArgumentException("--mpa " + revision + " found, 1 or 2 expected");
        }
        return IwarpOptions.DEFAULT.withRevision(revision).withCrc(crc);
    }
}
