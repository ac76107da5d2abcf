package org.verbena.adapter.iwarp.association;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.link.association.Association;

/** Sends each segment as a message of an association. */
final class AssociationChannel implements SegmentChannel {
    private final Association association;
    private final TurnTime time;
    private final MemorySegment memory;
    private int begun;

    AssociationChannel(Association association, TurnTime time) {
        this.association = association;
        this.time = time;
        this.memory = Arena.ofAuto().allocate(association.messageMax());
    }

    @Override
    public int room() {
        return association.room() > 0 ? association.messageMax() : 0;
    }

    @Override
    public int segmentMax() {
        return association.messageMax();
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long begin(int length) {
        begun = length;
        return 0;
    }

    @Override
    public void end() {
        association.send(time.nowNs(), memory, 0, begun);
    }

    @Override
    public void cancel() {}
}
