package org.verbena.services.push;

import org.jspecify.annotations.Nullable;
import org.verbena.verbs.PreparedTransfer;

/**
 * A pool as the sender of data sees it. If the sender pushes, the pool is memory of the peer; if the peer pulls, it is memory of the sender.
 *
 * @param withImmediate write that carries the indication; null if the peer pulls
 * @param plain write without an indication; null if the peer pulls
 * @param memory of the sender; null if the sender pushes
 */
record OutgoingPool(
        int reference,
        int elementBytes,
        OutgoingElements elements,
        @Nullable PreparedTransfer withImmediate,
        @Nullable PreparedTransfer plain,
        @Nullable PoolMemory memory) {
    /** Offset of an element in the pool. */
    long offset(int element) {
        return (long) element * elementBytes;
    }
}
