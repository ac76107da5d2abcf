package org.verbena.manage.manager;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.verbena.Gid;
import org.verbena.wire.subnet.McMemberRecord;

/** A multicast group: its values, its members and its tree. */
final class MulticastGroup {
    final Gid gid;
    final int lid;
    /** Stays when the last member leaves. */
    final boolean permanent;

    int qkey;
    int pkey;
    int mtuCode;
    int rateCode;
    int serviceLevel;
    int trafficClass;
    int flowLabel;
    int hopLimit;
    int scope;

    /** Join states by port GUID. */
    final Map<Long, Integer> members = new LinkedHashMap<>();
    /** By GUID of the switch: the ports of the tree as bits. */
    final Map<Long, long[]> tree = new HashMap<>();

    MulticastGroup(Gid gid, int lid, boolean permanent) {
        this.gid = gid;
        this.lid = lid;
        this.permanent = permanent;
    }

    boolean hasFullMember() {
        return members.values().stream().anyMatch(state -> (state & McMemberRecord.FULL_MEMBER) != 0);
    }
}
