package org.verbena.memory.protection;

import java.util.Set;
import org.verbena.Right;

/** Masks of rights that checks need. */
final class Rights {
    /** Rights of peers. */
    static final int REMOTE = Right.REMOTE_READ.mask() | Right.REMOTE_WRITE.mask() | Right.REMOTE_ATOMIC.mask();
    /** Rights of peers to change memory. */
    static final int REMOTE_CHANGE = Right.REMOTE_WRITE.mask() | Right.REMOTE_ATOMIC.mask();
    /** All rights to change memory. */
    static final int CHANGE = REMOTE_CHANGE | Right.LOCAL_WRITE.mask();

    private Rights() {}

    /**
     * The mask of a region registered with these rights, local read included.
     *
     * @throws IllegalArgumentException if peers may change the memory and the consumer may not
     */
    static int ofRegion(Set<Right> rights) {
        int mask = Right.mask(rights) | Right.LOCAL_READ.mask();
        if ((mask & REMOTE_CHANGE) != 0 && (mask & Right.LOCAL_WRITE.mask()) == 0) {
            throw new IllegalArgumentException(
                    "rights " + rights + ": REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE as well");
        }
        return mask;
    }
}
