package org.verbena.link.frame;

import static org.verbena.link.frame.FrameBounds.ETHERNET_BYTES;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.linux.Libc;

/** A port whose frames are read from and written to a descriptor of Linux: counters, watch and end, which its kinds have in common. */
abstract class DescriptorPort implements FramePort {
    /** Consecutive calls without a frame after which the port asks for the error number: a call that gives it costs more. */
    private static final int SILENT_CALLS_MAX = 1024;

    final Libc libc = new Libc();
    final int descriptor;
    private final String name;
    private final FrameCounters counters = new FrameCounters();
    private @Nullable Watch watch;
    private boolean wantsFrames = true;
    private boolean offloads;
    private boolean closed;
    /** Whether the system has taken the interface away. */
    private boolean gone;
    /** Whether a sleep found the descriptor ready. */
    private boolean promised;

    private int silentCalls;

    DescriptorPort(String name, int descriptor) {
        this.name = name;
        this.descriptor = descriptor;
    }

    /**
     * Reads one frame.
     *
     * @param exact whether to return the error number
     * @return its bytes, with its header if the port has offloads; more than the room if it was cut; −1 or the negative error number if there is none
     */
    abstract long read(MemorySegment into, long offset, int room, boolean exact);

    /** Writes one frame, with its header if the port has offloads. False if the system does not take it. */
    abstract boolean write(MemorySegment from, long offset, int length);

    /** Whether a frame is there that the descriptor does not know of. */
    boolean hasRest() {
        return false;
    }

    /** Asks the system whether frames can go out. */
    abstract boolean looksUp();

    /** Has the system give partial checksums and large segments, or not. */
    abstract void switchOffloads(boolean on);

    /** Gives back everything but the descriptor. */
    void release() {}

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int receive(MemorySegment into, long offset, int room) {
        FrameBounds.check(into, offset, room);
        if (closed || gone) {
            return 0;
        }
        boolean exact = promised || silentCalls == SILENT_CALLS_MAX;
        promised = false;
        long length = read(into, offset, room, exact);
        if (length < 0) {
            silentCalls = exact ? 0 : silentCalls + 1;
            if (exact) {
                onFailure((int) -length);
            }
            return 0;
        }
        silentCalls = 0;
        return judge(length, room);
    }

    private int judge(long length, int room) {
        int header = headerBytes();
        if (length < header + ETHERNET_BYTES) {
            counters.onReceiveMalformed();
            return 0;
        }
        if (length > room) {
            counters.onReceiveTooLong();
            return 0;
        }
        counters.onReceived(length - header);
        return (int) length;
    }

    private void onFailure(int errno) {
        switch (errno) {
            case Libc.EAGAIN, Libc.EINTR, Libc.ECONNREFUSED -> {}
            case Libc.EBADFD, Libc.EBADF, Libc.ENODEV, Libc.ENXIO -> {
                counters.onReceiveError();
                gone = true;
                // The descriptor stays ready for ever: it would end each sleep.
                endWatch();
            }
            default -> counters.onReceiveError();
        }
    }

    @Override
    public final boolean send(MemorySegment from, long offset, int length) {
        FrameBounds.check(from, offset, length);
        int header = headerBytes();
        if (closed || gone || length < header + ETHERNET_BYTES || !write(from, offset, length)) {
            counters.onSendDropped();
            return false;
        }
        counters.onSent(length - header);
        return true;
    }

    private int headerBytes() {
        return offloads ? OFFLOAD_HEADER_BYTES : 0;
    }

    @Override
    public final void offloads(boolean on) {
        if (on && !canOffload()) {
            throw new LinkException("offloads asked for at " + name + ", which cannot have them");
        }
        if (on != offloads) {
            switchOffloads(on);
            offloads = on;
        }
    }

    @Override
    public final boolean offloads() {
        return offloads;
    }

    @Override
    public final boolean isUp() {
        return !closed && !gone && looksUp();
    }

    @Override
    public final FrameCounters counters() {
        return counters;
    }

    @Override
    public final void wantsFrames(boolean yes) {
        wantsFrames = yes;
        if (watch != null) {
            watch.wants(yes, false);
        }
    }

    @Override
    public final void attach(Sleeper sleeper) {
        watch = sleeper.watch(descriptor, () -> promised = true);
        watch.wants(wantsFrames, false);
    }

    @Override
    public final long sleepMaxNs() {
        return wantsFrames && !closed && hasRest() ? 0 : Long.MAX_VALUE;
    }

    private void endWatch() {
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            endWatch();
            libc.close(descriptor);
            release();
        }
    }
}
