package org.verbena.services.lan;

import java.lang.foreign.MemorySegment;
import org.verbena.link.frame.FramePort;
import org.verbena.services.push.SendBuffers;
import org.verbena.services.push.ServiceConnection;

/**
 * Takes frames of a host's port and sends them to the unit. While no buffer is free it takes none: they wait at the port, which tells the system. It always has a
 * large buffer, where frames are received, and a small one, where most of them are copied, so that large ones stay free.
 */
final class OsPump {
    private final FramePort os;
    private final SendBuffers buffers;
    private final LanCounters counters;
    private int large = -1;
    private int small = -1;
    private boolean wanted = true;

    OsPump(FramePort os, SendBuffers buffers, LanCounters counters) {
        this.os = os;
        this.buffers = buffers;
        this.counters = counters;
    }

    private boolean isReady() {
        if (large < 0) {
            large = buffers.take(buffers.roomMax());
        }
        if (small < 0) {
            small = LanSizes.take(buffers, LanSizes.SMALL_BYTES);
        }
        boolean ready = large >= 0 && small >= 0;
        if (ready != wanted) {
            os.wantsFrames(ready);
            wanted = ready;
        }
        return ready;
    }

    /** Sends frames of the port, some at most; their number. */
    int pump(ServiceConnection connection, int most) {
        int taken = 0;
        while (taken < most && isReady()) {
            int length = os.receive(buffers.memory(), buffers.offset(large), buffers.room(large));
            if (length == 0) {
                break;
            }
            taken++;
            int frameBytes = os.offloads() ? length - FramePort.OFFLOAD_HEADER_BYTES : length;
            if (connection.push(slotFor(length), length)) {
                counters.add(LanCounter.TX_PACKETS);
                counters.add(LanCounter.TX_BYTES, frameBytes);
            } else {
                counters.add(LanCounter.TX_DROPPED);
            }
            releasePushed(length);
        }
        return taken;
    }

    private int slotFor(int length) {
        if (length > LanSizes.SMALL_BYTES) {
            return large;
        }
        MemorySegment memory = buffers.memory();
        MemorySegment.copy(memory, buffers.offset(large), memory, buffers.offset(small), length);
        return small;
    }

    private void releasePushed(int length) {
        if (length > LanSizes.SMALL_BYTES) {
            buffers.release(large);
            large = -1;
        } else {
            buffers.release(small);
            small = -1;
        }
    }

    /** Drops frames of the port, some at most, and counts them; their number. */
    int drop(int most) {
        int dropped = 0;
        while (dropped < most && isReady()) {
            int length = os.receive(buffers.memory(), buffers.offset(large), buffers.room(large));
            if (length == 0 && os.sleepMaxNs() != 0) {
                break;
            }
            dropped++;
            counters.add(LanCounter.TX_DROPPED);
        }
        return dropped;
    }

    /** Gives its buffers back. */
    void close() {
        if (large >= 0) {
            buffers.release(large);
            large = -1;
        }
        if (small >= 0) {
            buffers.release(small);
            small = -1;
        }
    }
}
