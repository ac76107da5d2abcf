package org.verbena.tools.console;

import java.util.Locale;

/** Numbers as people read them. */
public final class Figures {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};

    private Figures() {}

    /** A size in the largest unit that leaves it whole: {@code 64 KiB}, {@code 65537 B}. */
    public static String size(long bytes) {
        int unit = 0;
        long value = bytes;
        while (unit < UNITS.length - 1 && value != 0 && value % 1024 == 0) {
            value /= 1024;
            unit++;
        }
        return value + " " + UNITS[unit];
    }

    /** Bytes per second, in millions of bytes and billions of bits. */
    public static String bandwidth(double bytesPerSecond) {
        return format("%,.1f MB/s (%.2f Gbit/s)", bytesPerSecond / 1e6, bytesPerSecond * 8 / 1e9);
    }

    /** Messages per second. */
    public static String rate(double messagesPerSecond) {
        return format("%,.0f messages/s", messagesPerSecond);
    }

    /** As {@link String#format}, the same in every country. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in a jar that the command does without
    public static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
