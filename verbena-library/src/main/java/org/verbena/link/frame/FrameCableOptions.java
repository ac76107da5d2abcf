package org.verbena.link.frame;

import org.verbena.link.LinkException;

/**
 * How to make a {@link FrameCable}.
 *
 * @param mtu the MTU of both ends at first; a complete frame that is longer than its sender's allows is dropped
 * @param offloads whether the ends can have {@linkplain FramePort#offloads offloads}
 * @param queueBytes memory for frames on their way, in each direction: a power of two
 */
public record FrameCableOptions(int mtu, boolean offloads, int queueBytes) {
    /** The smallest MTU: that of IPv4. */
    public static final int MTU_MIN = 68;

    /** The largest MTU. */
    public static final int MTU_MAX = 65_535;

    static final int MTU = 1500;
    private static final int QUEUE_BYTES = 1 << 20;
    private static final int QUEUE_BYTES_MIN = 1 << 18;
    private static final int QUEUE_BYTES_MAX = 1 << 30;

    public FrameCableOptions {
        checkMtu(mtu);
        if (Integer.bitCount(queueBytes) != 1 || queueBytes < QUEUE_BYTES_MIN || queueBytes > QUEUE_BYTES_MAX) {
            throw new LinkException("queue of " + queueBytes + " bytes found, a power of two of " + QUEUE_BYTES_MIN
                    + " … " + QUEUE_BYTES_MAX + " expected");
        }
    }

    static void checkMtu(int bytes) {
        if (bytes < MTU_MIN || bytes > MTU_MAX) {
            throw new LinkException("MTU of " + bytes + " bytes found, " + MTU_MIN + " … " + MTU_MAX + " expected");
        }
    }

    /** MTU 1,500, offloads possible, queues of 1 MiB. */
    public static FrameCableOptions defaults() {
        return new FrameCableOptions(MTU, true, QUEUE_BYTES);
    }

    public FrameCableOptions withMtu(int bytes) {
        return new FrameCableOptions(bytes, offloads, queueBytes);
    }

    public FrameCableOptions withoutOffloads() {
        return new FrameCableOptions(mtu, false, queueBytes);
    }

    public FrameCableOptions withQueueBytes(int bytes) {
        return new FrameCableOptions(mtu, offloads, bytes);
    }
}
