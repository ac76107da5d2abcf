package org.verbena.fabric;

import java.util.HashMap;
import java.util.Map;
import org.verbena.Gid;
import org.verbena.link.LinkException;

/** The multicast groups of a fabric by GID, and their local identifiers. Any thread. */
final class GroupDirectory {
    private static final int LID_FIRST = 0xc000;
    /** Groups with members. */
    private static final int GROUPS_MAX = 1024;

    private static final class Group {
        private final int lid;
        private int members;

        private Group(int lid) {
            this.lid = lid;
        }
    }

    private final Map<Gid, Group> groups = new HashMap<>();
    private final boolean[] used = new boolean[GROUPS_MAX];

    /** The local identifier of a group; 0 if it has no member. */
    synchronized int lidOf(long gidHigh, long gidLow) {
        Group group = groups.get(new Gid(gidHigh, gidLow));
        return group == null ? 0 : group.lid;
    }

    /** One more member. */
    synchronized void join(long gidHigh, long gidLow) {
        groups.computeIfAbsent(new Gid(gidHigh, gidLow), gid -> new Group(freeLid())).members++;
    }

    private int freeLid() {
        for (int i = 0; i < GROUPS_MAX; i++) {
            if (!used[i]) {
                used[i] = true;
                return LID_FIRST + i;
            }
        }
        throw new LinkException("one more group than " + GROUPS_MAX + " found, at most as many expected");
    }

    /** One member fewer; the last one takes the group with it. */
    synchronized void leave(long gidHigh, long gidLow) {
        Gid gid = new Gid(gidHigh, gidLow);
        Group group = groups.get(gid);
        if (group != null && --group.members == 0) {
            used[group.lid - LID_FIRST] = false;
            groups.remove(gid);
        }
    }
}
