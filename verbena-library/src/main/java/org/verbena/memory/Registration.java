package org.verbena.memory;

import java.time.Duration;
import java.util.Set;
import org.verbena.Right;

/**
 * One entry of a {@link RegistrationTable}, as it was at some moment. Immutable.
 *
 * @param address of its first byte
 * @param length bytes; whole pages, where the table may extend it to them
 * @param rights local ones only: no peer reaches memory by an entry of the table
 * @param domain protection domain whose queue pairs use it
 * @param status whether it can be used
 * @param pinned whether its pages are locked in memory
 * @param operations work requests under way that name it
 * @param uses work requests that have named it so far; a few may be missing when several threads post at the same time
 * @param age time since it was registered
 * @param idle time since its last use, as far as the table has noticed
 * @param owner the table's owner and the thread that caused the registration
 */
public record Registration(
        long address,
        long length,
        Set<Right> rights,
        ProtectionDomain domain,
        Status status,
        boolean pinned,
        int operations,
        long uses,
        Duration age,
        Duration idle,
        String owner) {
    /** Copies the set. */
    public Registration {
        rights = Set.copyOf(rights);
    }

    /** Whether an entry can be used. */
    public enum Status {
        /** Work requests find it. */
        READY,
        /** A larger entry or one with more rights has taken its place; it ends with the work requests that name it. */
        SUPERSEDED,
        /** The arena of its memory is closed. It is never used again; it ends with the work requests that name it. */
        STALE,
        /** The arena of its memory is being closed, and waits for the work requests that name it. */
        CLOSING
    }

    /** One line, for people. */
    @Override
    public String toString() {
        return length + " bytes at 0x" + Long.toHexString(address) + ", " + rights + ", " + status
                + (pinned ? ", pinned, " : ", ") + operations + " under way, " + uses + " uses, " + owner;
    }
}
