package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.verbena.wire.subnet.MulticastBlock;
import org.verbena.wire.subnet.Smp;

/** Writes the blocks of the multicast forwarding tables that differ from what the switches have. */
final class MulticastPhase implements SweepPhase {
    private static final byte[] EMPTY = new byte[MulticastBlock.LENGTH];

    private final List<KnownNode> switches;
    private final LongFunction<WrittenTables> written;
    private final MulticastGroups groups;
    private final int[] blocks;
    private final SweepProblems problems;
    private final byte[] wanted = new byte[MulticastBlock.LENGTH];
    private final MemorySegment wantedSegment = MemorySegment.ofArray(wanted);
    private int at;
    private int block;
    private int position;

    MulticastPhase(
            List<KnownNode> switches,
            LongFunction<WrittenTables> written,
            MulticastGroups groups,
            int[] blocks,
            SweepProblems problems) {
        this.switches = switches;
        this.written = written;
        this.groups = groups;
        this.blocks = blocks;
        this.problems = problems;
    }

    @Override
    public boolean next(SmpSlot slot) {
        while (at < switches.size()) {
            KnownNode node = switches.get(at);
            while (block < blocks.length) {
                while (position <= node.portCount() / MulticastBlock.PORTS) {
                    int modifier = MulticastBlock.modifier(blocks[block], position++);
                    fill(node.guid, modifier);
                    byte[] has = written.apply(node.guid).multicast.getOrDefault(modifier, EMPTY);
                    if (!Arrays.equals(has, wanted)) {
                        slot.request(Smp.METHOD_SET, node.route, MulticastBlock.ATTRIBUTE, modifier);
                        MemorySegment.copy(wanted, 0, slot.mad, ValueLayout.JAVA_BYTE, Smp.DATA, wanted.length);
                        slot.node = node;
                        return true;
                    }
                }
                position = 0;
                block++;
            }
            block = 0;
            at++;
        }
        return false;
    }

    private void fill(long switchGuid, int modifier) {
        int first = MulticastBlock.FIRST_LID + MulticastBlock.block(modifier) * MulticastBlock.ENTRIES;
        int firstPort = MulticastBlock.position(modifier) * MulticastBlock.PORTS;
        for (int index = 0; index < MulticastBlock.ENTRIES; index++) {
            MulticastGroup group = groups.byLid(first + index);
            long[] ports = group == null ? null : group.tree.get(switchGuid);
            int mask = ports == null ? 0 : (int) (ports[firstPort >>> 6] >>> firstPort) & 0xffff;
            MulticastBlock.ports(wantedSegment, 0, index, mask);
        }
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {
        if (slot.node != null) {
            byte[] confirmed = new byte[MulticastBlock.LENGTH];
            MemorySegment.copy(slot.mad, ValueLayout.JAVA_BYTE, Smp.DATA, confirmed, 0, confirmed.length);
            written.apply(slot.node.guid).multicast.put(slot.modifier(), confirmed);
        }
    }

    @Override
    public void onFailure(SmpSlot slot, int status) {
        problems.failed(slot, status);
    }
}
