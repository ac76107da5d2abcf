package org.verbena.services.lan;

import java.util.ArrayList;
import java.util.List;
import org.verbena.link.frame.EthernetHeader;
import org.verbena.link.frame.FramePort;
import org.verbena.services.push.PoolShape;
import org.verbena.services.push.SendBuffers;

/** Sizes of buffers and limits of frames, for both drivers. */
final class LanSizes {
    /** MTU at least: that of IPv4 (RFC 791). */
    static final int MTU_MIN = 68;
    /** MTU at most. */
    static final int MTU_MAX = 9216;
    /** Bytes of a small buffer: a frame of the usual MTU with headers. */
    static final int SMALL_BYTES = 2048;
    /** Small buffers in a pool that an end offers. */
    static final int SMALL_OFFERED = 256;
    /** Buffers for frames with offloads in a pool that an end offers. */
    static final int LARGE_OFFERED = 64;
    /** Bytes of a buffer for frames with offloads. */
    static final int LARGE_BYTES = 67_584;
    /** Buffers for jumbo frames in a pool that an end offers. */
    static final int JUMBO_OFFERED = 128;
    /** Bytes of all pools of one connection at most, with those that the peer asks for. */
    static final long POOL_BYTES_MAX = 64 << 20;

    private static final int TAGS_BYTES = 2 * EthernetHeader.TAG_BYTES;

    static {
        assert LARGE_BYTES >= FramePort.FRAME_BYTES_MAX;
    }

    private LanSizes() {}

    /** Bytes of the longest frame of an MTU, with an offload header. */
    static int frameBytes(int mtu) {
        return FramePort.OFFLOAD_HEADER_BYTES + EthernetHeader.BYTES + TAGS_BYTES + mtu;
    }

    private static int jumboBytes(int mtu) {
        return frameBytes(mtu) + 63 & -64;
    }

    /** The largest MTU whose frames fit in the pools that an end offers for an MTU. */
    static int mtuMax(int mtu, boolean offloads) {
        return offloads ? MTU_MAX : Math.max(mtu, MTU_MAX - (frameBytes(MTU_MAX) - SMALL_BYTES));
    }

    /** The pools that an end offers. */
    static PoolShape[] offered(int mtu, boolean offloads) {
        return shapes(mtu, offloads, SMALL_OFFERED, LARGE_OFFERED, JUMBO_OFFERED);
    }

    /**
     * The buffers that an end sends from.
     *
     * @param small small buffers
     * @param large larger buffers, if there are any
     */
    static PoolShape[] sent(int mtu, boolean offloads, int small, int large) {
        return shapes(mtu, offloads, small, large, large);
    }

    private static PoolShape[] shapes(int mtu, boolean offloads, int small, int large, int jumbo) {
        List<PoolShape> shapes = new ArrayList<>();
        shapes.add(new PoolShape(small, SMALL_BYTES));
        if (offloads) {
            shapes.add(new PoolShape(large, LARGE_BYTES));
        } else if (frameBytes(mtu) > SMALL_BYTES) {
            shapes.add(new PoolShape(jumbo, jumboBytes(mtu)));
        }
        return shapes.toArray(PoolShape[]::new);
    }

    /** Whether a buffer is a larger one. */
    static boolean isLarge(SendBuffers buffers, int slot) {
        return buffers.room(slot) > SMALL_BYTES;
    }

    /**
     * Takes a buffer for a frame. A larger one is never taken for a frame that fits in a small one.
     *
     * @return −1 if none is free
     */
    static int take(SendBuffers buffers, int bytes) {
        int slot = buffers.take(bytes);
        if (slot >= 0 && bytes <= SMALL_BYTES && isLarge(buffers, slot)) {
            buffers.release(slot);
            return -1;
        }
        return slot;
    }
}
