package org.verbena.services.push;

/**
 * Which elements of a pool the sender of data may use. An element is available, or it is consumed until the peer returns it. Available elements are
 * taken in the order in which they became available.
 */
final class OutgoingElements {
    private static final byte AVAILABLE = 0;
    private static final byte CONSUMED = 1;
    private static final byte RETURNING = 2;

    private final byte[] states;
    private final int[] ring;
    private int first;
    private int available;

    /** All elements are available, from 0 on. */
    OutgoingElements(int count) {
        states = new byte[count];
        ring = new int[count];
        available = count;
        for (int i = 0; i < count; i++) {
            ring[i] = i;
        }
    }

    int count() {
        return states.length;
    }

    int available() {
        return available;
    }

    /** The element that {@link #take} consumes next; there is one. */
    int next() {
        return ring[first];
    }

    /** Consumes the element that is available for the longest time; −1 if there is none. */
    int take() {
        if (available == 0) {
            return -1;
        }
        int element = ring[first];
        first = first + 1 == ring.length ? 0 : first + 1;
        available--;
        states[element] = CONSUMED;
        return element;
    }

    /** Whether the number is that of an element. */
    boolean has(int element) {
        return element >= 0 && element < states.length;
    }

    /** Marks a consumed element as named by the message that is being judged; false if it is not consumed, or was named before. */
    boolean beginReturn(int element) {
        if (states[element] != CONSUMED) {
            return false;
        }
        states[element] = RETURNING;
        return true;
    }

    /** The message is refused: the element is consumed as before. */
    void cancelReturn(int element) {
        assert states[element] == RETURNING : element;
        states[element] = CONSUMED;
    }

    /** The message is accepted: the element is available. */
    void endReturn(int element) {
        assert states[element] == RETURNING : element;
        states[element] = AVAILABLE;
        int last = first + available;
        ring[last >= ring.length ? last - ring.length : last] = element;
        available++;
    }
}
