package org.verbena.verbs;

import org.verbena.memory.Region;

/**
 * A piece of the consumer's registered memory. The memory belongs to the adapter from the post until the completion: bytes
 * that the consumer writes meanwhile may be sent or not, bytes that it reads may be received or not.
 *
 * @param address of the first byte, under the region's key
 * @param length bytes, 0 … 2<sup>31</sup>
 * @param key of the region
 */
public record LocalSegment(long address, long length, int key) {
    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public LocalSegment {
        if (length < 0 || length > 1L << 31) {
            throw new IllegalArgumentException("a segment has 0 … 2^31 bytes; found " + length);
        }
    }

    /**
     * All of a region.
     *
     * @throws IllegalArgumentException if the region has more than 2<sup>31</sup> bytes
     * @throws IllegalStateException if the region is closed
     */
    public static LocalSegment of(Region region) {
        return of(region, 0, region.length());
    }

    /**
     * Part of a region. Whether it lies inside the region is checked when it is used.
     *
     * @throws IllegalArgumentException if the length is out of range
     * @throws IllegalStateException if the region is closed
     */
    public static LocalSegment of(Region region, long offset, long length) {
        return new LocalSegment(region.address() + offset, length, region.key());
    }
}
