package org.verbena.time;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A source of chance that repeats: the same value gives the same draws, on every machine and version.
 *
 * <p>The generator is SplitMix64 (Steele, Lea, Flood 2014). It is fast and well spread, and not secret: some draws are
 * enough to compute the next. Draws allocate nothing. One thread draws from a seed; each part of a system
 * {@linkplain #fork forks} its own, so that a draw more in one part changes nothing in another.
 *
 * <p>An {@linkplain #unpredictable unpredictable} one is the opposite: it never repeats, and its draws cannot be
 * predicted. It is for values that a peer must not guess.
 */
public final class Seed {
    private static final long GAMMA = 0x9e3779b97f4a7c15L;
    private static final double DOUBLE_UNIT = 0x1.0p-53;
    private static final long NAME_BASIS = 0xcbf29ce484222325L;
    private static final long NAME_PRIME = 0x100000001b3L;

    /** Bytes fetched from the machine's entropy at a time. */
    private static final int FETCH = 512;

    private final long value;
    private final @Nullable SecureRandom entropy;
    private final ByteBuffer fetched;
    private long state;

    /** The seed with this value, before its first draw. */
    public Seed(long value) {
        this.value = value;
        this.state = value;
        this.entropy = null;
        this.fetched = ByteBuffer.allocate(0);
    }

    private Seed(SecureRandom entropy) {
        this.value = 0;
        this.entropy = entropy;
        this.fetched = ByteBuffer.allocate(FETCH).position(FETCH);
    }

    /** A seed whose draws cannot be predicted from earlier ones: every draw comes from the machine's entropy. */
    public static Seed unpredictable() {
        return new Seed(new SecureRandom());
    }

    /**
     * What to pass to the constructor to repeat every draw; does not change with draws.
     *
     * @throws IllegalStateException for an unpredictable one
     */
    public long value() {
        if (entropy != null) {
            throw new IllegalStateException("an unpredictable seed has no value to repeat it with");
        }
        return value;
    }

    /**
     * A seed of its own for the part called {@code name}. It depends on this seed's {@linkplain #value value} and the
     * name, not on what was drawn, so the order of forks and draws does not matter; one name always gives one stream. Of
     * an unpredictable seed every fork is unpredictable.
     */
    public Seed fork(String name) {
        if (entropy != null) {
            return new Seed(entropy);
        }
        long hash = NAME_BASIS;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * NAME_PRIME;
        }
        return new Seed(mix(mix(value) + mix(hash ^ GAMMA)));
    }

    /** Any 64 bits. */
    public long nextLong() {
        if (entropy != null) {
            return fetch(entropy);
        }
        state += GAMMA;
        return mix(state);
    }

    private long fetch(SecureRandom source) {
        if (!fetched.hasRemaining()) {
            source.nextBytes(fetched.array());
            fetched.rewind();
        }
        return fetched.getLong();
    }

    /** Any 32 bits. */
    public int nextInt() {
        return (int) (nextLong() >>> 32);
    }

    /**
     * A number from zero up to, without, {@code bound}; all equally likely.
     *
     * @throws IllegalArgumentException if the bound is not positive
     */
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive: " + bound);
        }
        // The high half of a 32 by 32 bit product. Draws that would make some results more likely are repeated (Lemire
        // 2019).
        long product = (nextInt() & 0xffff_ffffL) * bound;
        if ((product & 0xffff_ffffL) < bound) {
            long unfair = (1L << 32) % bound;
            while ((product & 0xffff_ffffL) < unfair) {
                product = (nextInt() & 0xffff_ffffL) * bound;
            }
        }
        return (int) (product >>> 32);
    }

    /** A number from zero up to, without, one. */
    public double nextDouble() {
        return (nextLong() >>> 11) * DOUBLE_UNIT;
    }

    /** Heads or tails. */
    public boolean nextBoolean() {
        return nextLong() < 0;
    }

    /** True with the given probability; always at one or more; never, and without a draw, at zero or less. */
    public boolean chance(double probability) {
        return probability > 0 && nextDouble() < probability;
    }

    @Override
    public String toString() {
        return entropy != null ? "Seed[unpredictable]" : "Seed[" + value + "]";
    }

    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
