package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.PartitionTable;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;

/** Compares the partition tables that discovery found with the policy, and writes the blocks that differ. */
final class PartitionPlan implements SweepPhase {
    private static final int[] NO_KEYS = {};
    private static final int DEFAULT = PartitionPolicy.DEFAULT_KEY | PartitionPolicy.FULL_MEMBER;

    /** A block as it was found; the port of a switch has its peer only when discovery is over. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Found(KnownPort port, int block, short[] keys) {}

    private final PartitionPolicy policy;
    private final SweepProblems problems;
    private final ArrayDeque<Found> unusual = new ArrayDeque<>();
    private final boolean simple;

    PartitionPlan(PartitionPolicy policy, SweepProblems problems) {
        this.policy = policy;
        this.problems = problems;
        this.simple = policy.equals(PartitionPolicy.EVERYONE);
    }

    /** Blocks of the partition table of a port. */
    static int blocks(KnownPort port) {
        int entries = port.node.isSwitch() && port.number != 0
                ? SwitchInfo.ENFORCEMENT_CAP.read(port.node.registers, 0)
                : NodeInfo.PARTITION_CAP.read(port.node.identity, 0);
        return (entries + PartitionTable.ENTRIES - 1) / PartitionTable.ENTRIES;
    }

    /** Discovery has read a block. */
    void found(KnownPort port, int block, MemorySegment data, long at) {
        boolean usual = simple;
        for (int index = 0; usual && index < PartitionTable.ENTRIES; index++) {
            usual = PartitionTable.key(data, at, index) == (block == 0 && index == 0 ? DEFAULT : 0);
        }
        if (!usual) {
            short[] keys = new short[PartitionTable.ENTRIES];
            for (int index = 0; index < keys.length; index++) {
                keys[index] = (short) PartitionTable.key(data, at, index);
            }
            unusual.add(new Found(port, block, keys));
        }
    }

    /** The keys that a port should have; the port of a switch those of the end port at its cable. */
    private int[] wanted(KnownPort port) {
        if (port.isEnd()) {
            return policy.keys(port.guid);
        }
        KnownPort peer = port.peer;
        return peer == null || peer.node.isSwitch() ? NO_KEYS : policy.keys(peer.guid);
    }

    @Override
    public boolean next(SmpSlot slot) {
        for (Found found = unusual.poll(); found != null; found = unusual.poll()) {
            KnownPort port = found.port;
            int[] wanted = wanted(port);
            if (wanted.length == 0 || isRight(found, wanted)) {
                continue;
            }
            int modifier = PartitionTable.modifier(port.node.isSwitch() ? port.number : 0, found.block);
            slot.request(Smp.METHOD_SET, port.route, PartitionTable.ATTRIBUTE, modifier);
            for (int index = 0; index < PartitionTable.ENTRIES; index++) {
                PartitionTable.key(slot.mad, Smp.DATA, index, key(wanted, found.block, index));
            }
            slot.node = port.node;
            slot.port = port;
            return true;
        }
        return false;
    }

    private static boolean isRight(Found found, int[] wanted) {
        for (int index = 0; index < found.keys.length; index++) {
            if ((found.keys[index] & 0xffff) != key(wanted, found.block, index)) {
                return false;
            }
        }
        return true;
    }

    private static int key(int[] keys, int block, int index) {
        int at = block * PartitionTable.ENTRIES + index;
        return at < keys.length ? keys[at] & 0xffff : 0;
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {}

    @Override
    public void onFailure(SmpSlot slot, int status) {
        problems.failed(slot, status);
    }

    /** Whether a port has a key in common with this one, of which at least one end is a full member. */
    boolean admits(@Nullable KnownPort port, int pkey) {
        return port != null && sharedKey(policy.keys(port.guid), new int[] {pkey}) != 0;
    }

    /** The first key of the first port by which both can talk; 0: none. */
    static int sharedKey(int[] keys, int[] others) {
        for (int key : keys) {
            for (int other : others) {
                if (((key ^ other) & PartitionPolicy.DEFAULT_KEY) == 0
                        && ((key | other) & PartitionPolicy.FULL_MEMBER) != 0) {
                    return key & 0xffff;
                }
            }
        }
        return 0;
    }
}
