package org.verbena.tools.perf;

/**
 * The warm-up before a measurement: at least a minimum time, then until the just-in-time compiler has nothing left to do, at
 * most a maximum time.
 */
public record WarmUp(long leastNs, long mostNs) {
    private static final double NS = 1e9;

    public WarmUp {
        if (leastNs < 0 || mostNs < leastNs) {
            throw new IllegalArgumentException(
                    "warm-up of " + leastNs + " to " + mostNs + " ns found, an ascending range expected");
        }
    }

    /** A warm-up of exactly this time. */
    public static WarmUp ofSeconds(double seconds) {
        return new WarmUp((long) (seconds * NS), (long) (seconds * NS));
    }

    /** A warm-up until the compiler has settled. */
    public static WarmUp untilCompiled(double leastSeconds, double mostSeconds) {
        return new WarmUp((long) (leastSeconds * NS), (long) (mostSeconds * NS));
    }
}
