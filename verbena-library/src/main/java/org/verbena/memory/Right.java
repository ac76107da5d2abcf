package org.verbena.memory;

import java.util.EnumSet;
import java.util.Set;

/** What an entry lets be done to its memory, and what an {@link Accessor} wants to do. */
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

    static final int REMOTE = REMOTE_READ.mask() | REMOTE_WRITE.mask() | REMOTE_ATOMIC.mask();
    static final int REMOTE_CHANGE = REMOTE_WRITE.mask() | REMOTE_ATOMIC.mask();
    static final int CHANGE = REMOTE_CHANGE | LOCAL_WRITE.mask();

    private static final Right[] ALL = values();

    private final int mask;

    Right(int mask) {
        this.mask = mask;
    }

    /** The bit that stands for this right in a mask. */
    public int mask() {
        return mask;
    }

    /** Whether it is a peer that acts. */
    public boolean isRemote() {
        return (mask() & REMOTE) != 0;
    }

    /** The bits of all of them. */
    public static int mask(Set<Right> rights) {
        int mask = 0;
        for (Right right : rights) {
            mask |= right.mask();
        }
        return mask;
    }

    /** The rights whose bits are set; bits that stand for none are ignored. */
    public static Set<Right> ofMask(int mask) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (Right right : ALL) {
            if ((mask & right.mask()) != 0) {
                rights.add(right);
            }
        }
        return rights;
    }

    /** The mask a region gets for what its consumer asked: local read is implied, contradictions are refused. */
    static int regionMask(Set<Right> rights) {
        int mask = mask(rights) | LOCAL_READ.mask();
        if ((mask & REMOTE_CHANGE) != 0 && (mask & LOCAL_WRITE.mask()) == 0) {
            throw new IllegalArgumentException(
                    "rights " + rights + ": REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE as well");
        }
        return mask;
    }
}
