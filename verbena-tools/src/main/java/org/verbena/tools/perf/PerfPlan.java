package org.verbena.tools.perf;

import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;

/**
 * The plan of a measurement, the same at both ends.
 *
 * @param operation the operation of each message
 * @param mode which figure
 * @param size bytes of a message; 8 for atomics
 * @param warmUp done first and not counted
 * @param measured the extent of the measurement
 * @param depth messages outstanding at once, for bandwidth
 * @param signalEvery number of messages per completion, for bandwidth
 * @param inlineMax messages up to this size are copied when they are posted
 * @param mtu largest payload of a packet; null: the largest that both links carry
 * @param verify whether every byte is checked
 */
public record PerfPlan(
        PerfOperation operation,
        PerfMode mode,
        long size,
        WarmUp warmUp,
        Extent measured,
        int depth,
        int signalEvery,
        int inlineMax,
        @Nullable Mtu mtu,
        boolean verify) {
    /** Longest message of InfiniBand. */
    public static final long SIZE_MAX = 1L << 31;

    public static final int DEPTH_MAX = 1 << 14;
    public static final int INLINE_MAX = 1024;

    /** Bytes an atomic works on. */
    public static final int ATOMIC_SIZE = 8;

    /** The defaults, which give the best figures: three seconds after the compiler has settled. */
    public static PerfPlan of(PerfOperation operation, PerfMode mode) {
        boolean latency = mode == PerfMode.LATENCY;
        long size = operation.isAtomic() || latency ? ATOMIC_SIZE : 64 << 10;
        int depth = latency ? 1 : 64;
        return new PerfPlan(
                operation,
                mode,
                size,
                WarmUp.untilCompiled(1, 8),
                Extent.ofSeconds(3),
                depth,
                Math.max(1, depth / 4),
                256,
                null,
                false);
    }

    /**
     * Whether the plan can be carried out.
     *
     * @throws IllegalArgumentException that names the value found and the value expected
     */
    public PerfPlan {
        require("size", size, 0, SIZE_MAX);
        require("depth", depth, 1, DEPTH_MAX);
        require("signal", signalEvery, 1, depth);
        require("inline", inlineMax, 0, INLINE_MAX);
        if (operation.isAtomic() && size != ATOMIC_SIZE) {
            throw new IllegalArgumentException(
                    "size " + size + " found, 8 expected: " + operation + " works on 8 bytes");
        }
        if (operation == PerfOperation.WRITE && mode == PerfMode.LATENCY && size == 0) {
            throw new IllegalArgumentException(
                    "size 0 found, at least 1 expected: the target of a write watches its last byte");
        }
    }

    static void require(String what, long found, long least, long most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + " " + found + " found, " + least + " to " + most + " expected");
        }
    }

    boolean isLatency() {
        return mode == PerfMode.LATENCY;
    }

    /** Whether the data of a message stands in the request itself. */
    boolean isInline() {
        return size > 0 && size <= inlineMax && !operation.returnsData() && !verify;
    }

    public PerfPlan withSize(long bytes) {
        return new PerfPlan(operation, mode, bytes, warmUp, measured, depth, signalEvery, inlineMax, mtu, verify);
    }

    public PerfPlan withExtents(WarmUp warm, Extent counted) {
        return new PerfPlan(operation, mode, size, warm, counted, depth, signalEvery, inlineMax, mtu, verify);
    }

    /** With a completion for one in {@code every}. */
    public PerfPlan withDepth(int outstanding, int every) {
        return new PerfPlan(operation, mode, size, warmUp, measured, outstanding, every, inlineMax, mtu, verify);
    }

    public PerfPlan withInlineMax(int bytes) {
        return new PerfPlan(operation, mode, size, warmUp, measured, depth, signalEvery, bytes, mtu, verify);
    }

    public PerfPlan withMtu(@Nullable Mtu other) {
        return new PerfPlan(operation, mode, size, warmUp, measured, depth, signalEvery, inlineMax, other, verify);
    }

    public PerfPlan withVerify(boolean on) {
        return new PerfPlan(operation, mode, size, warmUp, measured, depth, signalEvery, inlineMax, mtu, on);
    }
}
