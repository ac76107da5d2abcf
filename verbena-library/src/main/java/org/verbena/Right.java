package org.verbena;

import java.util.EnumSet;
import java.util.Set;

/** A kind of access to memory: an entry grants a set of them, an access needs one. */
public enum Right {
    /** The owner's adapter reads it: gather of sends and writes. Every entry grants it. */
    LOCAL_READ(1 << 0),
    /** The owner's adapter writes it: receives, read responses, results of atomics. */
    LOCAL_WRITE(1 << 1),
    /** A peer reads it. */
    REMOTE_READ(1 << 2),
    /** A peer writes it. A region that grants this grants {@link #LOCAL_WRITE} too. */
    REMOTE_WRITE(1 << 3),
    /** A peer changes it by atomics. A region that grants this grants {@link #LOCAL_WRITE} too. */
    REMOTE_ATOMIC(1 << 4),
    /** Windows may be bound to it. */
    BIND_WINDOW(1 << 5);

    private static final Right[] ALL = values();

    private final int mask;

    Right(int mask) {
        this.mask = mask;
    }

    /** The bit of this right in a mask. */
    public int mask() {
        return mask;
    }

    /** Whether it is a right of peers. */
    public boolean isRemote() {
        return this == REMOTE_READ || this == REMOTE_WRITE || this == REMOTE_ATOMIC;
    }

    /** The mask of a set of rights. */
    public static int mask(Set<Right> rights) {
        int mask = 0;
        for (Right right : rights) {
            mask |= right.mask();
        }
        return mask;
    }

    /** The rights whose bits are set; other bits are ignored. A new set, the caller's. */
    public static Set<Right> ofMask(int mask) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (Right right : ALL) {
            if ((mask & right.mask()) != 0) {
                rights.add(right);
            }
        }
        return rights;
    }
}
