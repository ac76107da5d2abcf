package org.verbena.tools.perf;

/**
 * What is done before anything counts: at least so long, then on until the just-in-time compiler has nothing left to do,
 * but not longer than so long.
 */
public record WarmUp(long leastNs, long mostNs) {
    private static final double NS = 1e9;

    public WarmUp {
        if (leastNs < 0 || mostNs < leastNs) {
            throw new IllegalArgumentException(
                    "warm-up of " + leastNs + " to " + mostNs + " ns found, an ascending range expected");
        }
    }

    /** As long as that, exactly. */
    public static WarmUp ofSeconds(double seconds) {
        return new WarmUp((long) (seconds * NS), (long) (seconds * NS));
    }

    /** Until the compiler has settled. */
    public static WarmUp untilCompiled(double leastSeconds, double mostSeconds) {
        return new WarmUp((long) (leastSeconds * NS), (long) (mostSeconds * NS));
    }
}
