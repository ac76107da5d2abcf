package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.verbena.wire.subnet.LinearBlock;
import org.verbena.wire.subnet.Smp;

/** Writes the blocks of the linear forwarding tables that differ from what the switches have. */
final class TablePhase implements SweepPhase {
    private final List<KnownNode> switches;
    private final LongFunction<WrittenTables> written;
    private final Routes routes;
    private final int blocks;
    private final SweepProblems problems;
    private int at;
    private int block;

    /**
     * A phase.
     *
     * @param written what a switch has, by its GUID
     */
    TablePhase(
            List<KnownNode> switches,
            LongFunction<WrittenTables> written,
            Routes routes,
            int topLid,
            SweepProblems problems) {
        this.switches = switches;
        this.written = written;
        this.routes = routes;
        this.blocks = topLid / LinearBlock.ENTRIES + 1;
        this.problems = problems;
    }

    @Override
    public boolean next(SmpSlot slot) {
        while (at < switches.size()) {
            KnownNode node = switches.get(at);
            WrittenTables has = written.apply(node.guid);
            byte[] wanted = routes.table(node.index);
            grow(has, wanted.length);
            while (block < blocks) {
                int number = block++;
                int from = number * LinearBlock.ENTRIES;
                int to = from + LinearBlock.ENTRIES;
                if (!has.linearBlocks[number] || !Arrays.equals(wanted, from, to, has.linear, from, to)) {
                    slot.request(Smp.METHOD_SET, node.route, LinearBlock.ATTRIBUTE, number);
                    MemorySegment.copy(wanted, from, slot.mad, ValueLayout.JAVA_BYTE, Smp.DATA, LinearBlock.LENGTH);
                    slot.node = node;
                    slot.number = number;
                    return true;
                }
            }
            block = 0;
            at++;
        }
        return false;
    }

    private void grow(WrittenTables has, int entries) {
        if (has.linear.length < entries) {
            has.linear = Arrays.copyOf(has.linear, entries);
            has.linearBlocks = Arrays.copyOf(has.linearBlocks, entries / LinearBlock.ENTRIES);
        }
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {
        if (slot.node != null) {
            WrittenTables has = written.apply(slot.node.guid);
            MemorySegment.copy(
                    slot.mad,
                    ValueLayout.JAVA_BYTE,
                    Smp.DATA,
                    has.linear,
                    slot.number * LinearBlock.ENTRIES,
                    LinearBlock.LENGTH);
            has.linearBlocks[slot.number] = true;
        }
    }

    @Override
    public void onFailure(SmpSlot slot, int status) {
        if (slot.node != null) {
            written.apply(slot.node.guid).linearBlocks[slot.number] = false;
        }
        problems.failed(slot, status);
    }
}
