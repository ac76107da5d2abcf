package org.verbena.link.frame;

import org.verbena.link.LinkException;

/**
 * A cable within the process: a frame that one end sends comes in at the other one. For tests, and for programs that take and make frames in
 * Java. One thread at a time uses an end; the two ends may have different ones. A frame that finds the queue full is dropped.
 */
public final class FrameCable implements AutoCloseable {
    private final CableEnd left;
    private final CableEnd right;
    private volatile boolean up = true;

    private FrameCable(FrameCableOptions options) {
        FrameRing toRight = new FrameRing(options.queueBytes());
        FrameRing toLeft = new FrameRing(options.queueBytes());
        left = new CableEnd("cable (left end)", this, toRight, toLeft, options);
        right = new CableEnd("cable (right end)", this, toLeft, toRight, options);
        left.join(right);
        right.join(left);
    }

    /** A cable with {@linkplain FrameCableOptions#defaults() default options}. */
    public static FrameCable open() {
        return open(FrameCableOptions.defaults());
    }

    /**
     * A cable.
     *
     * @throws LinkException if the options are out of range
     */
    public static FrameCable open(FrameCableOptions options) {
        return new FrameCable(options);
    }

    /** One end. It keeps the Ethernet address that it is given, and does nothing with it. */
    public FramePort left() {
        return left;
    }

    /** The other end. */
    public FramePort right() {
        return right;
    }

    /**
     * Plugs the cable in, or pulls it: then neither end is up, and frames that are sent are dropped. Frames on their way still arrive. A new
     * cable is plugged in. Any thread.
     */
    public void up(boolean plugged) {
        up = plugged;
    }

    /** Whether it is plugged in. */
    public boolean up() {
        return up;
    }

    /** Closes both ends: by a thread that uses both, or when no other thread uses them. */
    @Override
    public void close() {
        left.close();
        right.close();
    }
}
