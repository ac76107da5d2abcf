package org.verbena.verbs;

import org.verbena.memory.Region;

/**
 * A piece of the consumer's registered memory. The memory belongs to the adapter from the post until the completion:
 * what is written to it meanwhile may or may not be sent, what is read from it may be half received.
 *
 * @param address as the region's key knows it
 * @param length bytes, 0 … 2<sup>31</sup>
 * @param key the region's
 */
public record LocalSegment(long address, long length, int key) {
    public LocalSegment {
        if (length < 0 || length > 1L << 31) {
            throw new IllegalArgumentException("a segment has 0 … 2^31 bytes; found " + length);
        }
    }

    /** All of a region; it must not be longer than 2<sup>31</sup> bytes. */
    public static LocalSegment of(Region region) {
        return of(region, 0, region.length());
    }

    /** Part of a region. Whether it lies inside is judged when it is used. */
    public static LocalSegment of(Region region, long offset, long length) {
        return new LocalSegment(region.address() + offset, length, region.key());
    }
}
