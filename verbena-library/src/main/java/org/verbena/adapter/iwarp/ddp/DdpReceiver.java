package org.verbena.adapter.iwarp.ddp;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.SegmentReceiver;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Checks the header of each segment that arrives and gives it to the user. After an error it takes no segment. */
public final class DdpReceiver implements SegmentReceiver {
    private final DdpUser user;
    private final UntaggedQueue[] queues = new UntaggedQueue[RdmapOpcode.QUEUES];
    /** Number of the segment whose turn it is. */
    private long number;

    private boolean stopped;

    public DdpReceiver(DdpUser user) {
        this.user = user;
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new UntaggedQueue();
        }
    }

    /** One of the queues. */
    public UntaggedQueue queue(int number) {
        return queues[number];
    }

    /** Takes no segment any more. */
    public void stop() {
        stopped = true;
    }

    @Override
    public Intake onSegment(MemorySegment memory, long at, int length) {
        if (stopped) {
            return Intake.STOPPED;
        }
        TerminateCode error = judge(memory, at, length);
        if (error != null) {
            stopped = true;
            user.onError(error, memory, at, length);
            return Intake.STOPPED;
        }
        Intake intake = DdpControl.isTagged(memory, at)
                ? user.onTagged(number, memory, at, length)
                : untagged(memory, at, length, queues[UntaggedHeader.queue(memory, at)]);
        return passed(intake);
    }

    private Intake passed(Intake intake) {
        number += intake == Intake.TAKEN ? 1 : 0;
        return intake;
    }

    /** Number of the segment whose turn it is. */
    long number() {
        return number;
    }

    /** Offers a segment before its turn. It waits for its turn if it is untagged or wrong. */
    Intake onEarly(long its, MemorySegment memory, long at, int length) {
        if (stopped) {
            return Intake.STOPPED;
        }
        boolean waits =
                length < DdpControl.LENGTH || !DdpControl.isTagged(memory, at) || judge(memory, at, length) != null;
        return waits ? Intake.LATER : user.onTaggedEarly(its, memory, at, length);
    }

    /** It is the turn of a segment that was taken early. */
    Intake onTurn(MemorySegment header, long at, int length) {
        return stopped ? Intake.STOPPED : passed(user.onPlaced(number, header, at, length));
    }

    /** There will be no turn for a segment that was taken early. */
    void onLost(long its, MemorySegment header, long at) {
        user.onLost(its, header, at);
    }

    private Intake untagged(MemorySegment memory, long at, int length, UntaggedQueue queue) {
        boolean last = DdpControl.isLast(memory, at);
        Intake intake = user.onUntagged(memory, at, length);
        if (intake == Intake.TAKEN) {
            queue.advance(length - UntaggedHeader.LENGTH, last);
        }
        return intake;
    }

    /** The checks of RFC 5041, 7; null if the segment is right. */
    private @Nullable TerminateCode judge(MemorySegment memory, long at, int length) {
        if (length < DdpControl.LENGTH) {
            return TerminateCode.DDP_CATASTROPHIC;
        }
        boolean tagged = DdpControl.isTagged(memory, at);
        if (DdpControl.ddpVersion(memory, at) != DdpControl.DDP_VERSION) {
            return tagged ? TerminateCode.DDP_TAGGED_VERSION : TerminateCode.DDP_UNTAGGED_VERSION;
        }
        if (length < (tagged ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH)) {
            return TerminateCode.DDP_CATASTROPHIC;
        }
        return tagged ? judgeTagged(memory, at, length) : judgeUntagged(memory, at, length);
    }

    private static @Nullable TerminateCode judgeTagged(MemorySegment memory, long at, int length) {
        long offset = TaggedHeader.offset(memory, at);
        int data = length - TaggedHeader.LENGTH;
        boolean wraps = data > 0 && Long.compareUnsigned(offset + data - 1, offset) < 0;
        return wraps ? TerminateCode.DDP_OFFSET_WRAP : null;
    }

    private @Nullable TerminateCode judgeUntagged(MemorySegment memory, long at, int length) {
        int number = UntaggedHeader.queue(memory, at);
        if (Integer.compareUnsigned(number, queues.length) >= 0) {
            return TerminateCode.DDP_INVALID_QUEUE;
        }
        return queues[number].judge(
                UntaggedHeader.msn(memory, at),
                UntaggedHeader.offset(memory, at),
                length - UntaggedHeader.LENGTH,
                user.capacity(number));
    }
}
