package org.verbena.services.push;

/**
 * Which elements of a pool the receiver of data has. An element is with the peer until the peer indicates it; then it is here until an update returns it.
 */
final class IncomingElements {
    private static final byte PEER = 0;
    private static final byte HERE = 1;
    private static final byte RETURNED = 2;

    private final byte[] states;
    /** Elements that the next update returns, in the order in which their data were delivered. */
    private final int[] returned;

    private int returnedCount;
    /** Elements with the peer in the order in which it got them; used where transfers may be lost. */
    private final int[] order;

    private int first;
    private int given;

    /**
     * All elements are with the peer.
     *
     * @param lossy whether indications may be lost, so that the order of the elements counts
     */
    IncomingElements(int count, boolean lossy) {
        states = new byte[count];
        returned = new int[count];
        order = new int[lossy ? count : 0];
        given = order.length;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
    }

    int count() {
        return states.length;
    }

    boolean has(int element) {
        return element >= 0 && element < states.length;
    }

    boolean isWithPeer(int element) {
        return states[element] == PEER;
    }

    /**
     * The peer has indicated an element that was with it.
     *
     * @return number of elements before it in order that the peer consumed and whose indications are lost; the next update returns them
     */
    int take(int element) {
        int lost = 0;
        if (order.length > 0) {
            for (int next = pop(); next != element; next = pop(), lost++) {
                states[next] = RETURNED;
                returned[returnedCount++] = next;
            }
        }
        states[element] = HERE;
        return lost;
    }

    private int pop() {
        int element = order[first];
        first = first + 1 == order.length ? 0 : first + 1;
        given--;
        return element;
    }

    /** The data of an element are delivered: the next update returns it. */
    void release(int element) {
        assert states[element] == HERE : element;
        states[element] = RETURNED;
        returned[returnedCount++] = element;
    }

    /** Elements that the next update returns. */
    int returnedCount() {
        return returnedCount;
    }

    /** One of the elements that the next update returns. */
    int returned(int index) {
        return returned[index];
    }

    /** An update with the first elements of the list is on its way: the peer has them. */
    void onUpdateSent(int count) {
        for (int i = 0; i < count; i++) {
            int element = returned[i];
            states[element] = PEER;
            if (order.length > 0) {
                int last = first + given;
                order[last >= order.length ? last - order.length : last] = element;
                given++;
            }
        }
        returnedCount -= count;
        System.arraycopy(returned, count, returned, 0, returnedCount);
    }

    /** Elements that are here, their data not yet delivered. */
    int hereCount() {
        int here = 0;
        for (byte state : states) {
            here += state == HERE ? 1 : 0;
        }
        return here;
    }
}
