package org.verbena.manage.manager;

import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.wire.subnet.MulticastBlock;

/** The multicast groups of the subnet, and which blocks of the switches' tables have to be looked at again. */
final class MulticastGroups {
    /** The broadcast group of IP over InfiniBand in the default partition: OpenSM has it from the start. */
    static final Gid BROADCAST = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);

    private static final int BROADCAST_QKEY = 0x0b1b;
    private static final int BROADCAST_MTU = 4;
    private static final int BROADCAST_RATE = 3;
    private static final int LINK_LOCAL = 2;
    /** The last multicast identifier is for all ports. */
    private static final int LID_MAX = 0xfffe;

    private final Map<Gid, MulticastGroup> byGid = new LinkedHashMap<>();
    private final TreeMap<Integer, MulticastGroup> byLid = new TreeMap<>();
    private final BitSet changedBlocks = new BitSet();
    private int entries = LID_MAX + 1 - MulticastBlock.FIRST_LID;

    MulticastGroups() {
        MulticastGroup broadcast = new MulticastGroup(BROADCAST, MulticastBlock.FIRST_LID, true);
        broadcast.qkey = BROADCAST_QKEY;
        broadcast.pkey = PartitionPolicy.DEFAULT_KEY | PartitionPolicy.FULL_MEMBER;
        broadcast.mtuCode = BROADCAST_MTU;
        broadcast.rateCode = BROADCAST_RATE;
        broadcast.scope = LINK_LOCAL;
        add(broadcast);
    }

    /** The multicast table of the smallest switch has this many entries. */
    void limit(int tableEntries) {
        entries = Math.min(LID_MAX + 1 - MulticastBlock.FIRST_LID, tableEntries);
    }

    @Nullable
    MulticastGroup byGid(Gid gid) {
        return byGid.get(gid);
    }

    @Nullable
    MulticastGroup byLid(int lid) {
        return byLid.get(lid);
    }

    Collection<MulticastGroup> all() {
        return byGid.values();
    }

    /** The lowest free identifier; 0: none. */
    int freeLid() {
        for (int lid = MulticastBlock.FIRST_LID; lid < MulticastBlock.FIRST_LID + entries; lid++) {
            if (!byLid.containsKey(lid)) {
                return lid;
            }
        }
        return 0;
    }

    void add(MulticastGroup group) {
        byGid.put(group.gid, group);
        byLid.put(group.lid, group);
    }

    void remove(MulticastGroup group) {
        byGid.remove(group.gid);
        byLid.remove(group.lid);
    }

    /** The tree of a group has changed. */
    void changed(int lid) {
        changedBlocks.set((lid - MulticastBlock.FIRST_LID) / MulticastBlock.ENTRIES);
    }

    /** The blocks with changes; they are empty afterwards. */
    int[] takeChangedBlocks() {
        int[] blocks = changedBlocks.stream().toArray();
        changedBlocks.clear();
        return blocks;
    }

    boolean hasChanges() {
        return !changedBlocks.isEmpty();
    }
}
