package org.verbena.fabric;

import org.jspecify.annotations.Nullable;

/**
 * Tells a link of a fabric the ways to GIDs, and makes its port a member of groups. The link's thread calls everything; no call waits.
 *
 * <p>A link asks again for each packet while it has no current way.
 */
interface PathResolver {
    /**
     * The way to a port or group with this GID.
     *
     * @return {@link FabricWay#NONE} if there is none now; null if it is not known yet
     */
    @Nullable
    FabricWay resolve(long gidHigh, long gidLow);

    /** Whether a way that this resolver gave still leads there. Called for each packet. */
    boolean isCurrent(FabricWay way);

    /**
     * Makes the port a member of a group; it gets the group's packets soon.
     *
     * @throws org.verbena.link.LinkException if it cannot be a member
     */
    void join(long gidHigh, long gidLow);

    /** Ends a membership. */
    void leave(long gidHigh, long gidLow);

    /** The link is closed. */
    void close();
}
