package org.verbena.services.push;

/**
 * The shape of a pool of buffers.
 *
 * @param elements number of buffers, 1 … {@value #ELEMENTS_MAX}
 * @param elementBytes bytes of each, 1 … {@value #ELEMENT_BYTES_MAX}
 */
public record PoolShape(int elements, int elementBytes) {
    /** Buffers of a pool at most. */
    public static final int ELEMENTS_MAX = 1 << 16;
    /** Bytes of a buffer at most. */
    public static final int ELEMENT_BYTES_MAX = 1 << 24;

    /** @throws IllegalArgumentException if a value is out of range */
    public PoolShape {
        if (elements < 1 || elements > ELEMENTS_MAX) {
            throw new IllegalArgumentException("a pool has 1 … " + ELEMENTS_MAX + " elements; found " + elements);
        }
        if (elementBytes < 1 || elementBytes > ELEMENT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "an element has 1 … " + ELEMENT_BYTES_MAX + " bytes; found " + elementBytes);
        }
    }

    /** Bytes of all its elements. */
    public long bytes() {
        return (long) elements * elementBytes;
    }
}
