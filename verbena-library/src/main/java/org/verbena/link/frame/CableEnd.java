package org.verbena.link.frame;

import static org.verbena.link.frame.FrameBounds.ETHERNET_BYTES;
import static org.verbena.link.frame.FrameBounds.TAG_BYTES;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;
import org.verbena.link.Sleeper;

/** One end of a {@link FrameCable}. The two ends share two rings and a few flags. */
final class CableEnd implements FramePort {
    private final String name;
    private final FrameCable cable;
    private final FrameRing outgoing;
    private final FrameRing incoming;
    private final boolean canOffload;
    private final FrameCounters counters = new FrameCounters();
    private CableEnd peer = this;
    private long macAddress;
    private volatile int mtu;

    // Read by the other end's thread.
    private volatile boolean offloads;
    private volatile boolean carrier = true;
    private volatile boolean wantsFrames = true;
    private volatile boolean closed;
    private volatile @Nullable Sleeper sleeper;

    CableEnd(String name, FrameCable cable, FrameRing outgoing, FrameRing incoming, FrameCableOptions options) {
        this.name = name;
        this.cable = cable;
        this.outgoing = outgoing;
        this.incoming = incoming;
        this.canOffload = options.offloads();
        this.mtu = options.mtu();
    }

    void join(CableEnd other) {
        peer = other;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int receive(MemorySegment into, long offset, int room) {
        FrameBounds.check(into, offset, room);
        if (closed || incoming.isEmpty()) {
            return 0;
        }
        long at = incoming.at();
        int stored = incoming.length(at);
        int taken = take(at, stored, into, offset, room);
        incoming.release(stored);
        return taken;
    }

    private int take(long at, int stored, MemorySegment into, long offset, int room) {
        int skipped = offloads ? 0 : OFFLOAD_HEADER_BYTES;
        int length = stored - skipped;
        if (!offloads && !OffloadHeader.isComplete(incoming.bytes(), at)) {
            // Sent before this end switched its offloads off.
            counters.onReceiveMalformed();
            return 0;
        }
        if (length > room) {
            counters.onReceiveTooLong();
            return 0;
        }
        MemorySegment.copy(incoming.bytes(), at + skipped, into, offset, length);
        counters.onReceived(stored - OFFLOAD_HEADER_BYTES);
        return length;
    }

    @Override
    public boolean send(MemorySegment from, long offset, int length) {
        FrameBounds.check(from, offset, length);
        if (!isUp() || !mayPass(from, offset, length) || !outgoing.offer(from, offset, length, offloads)) {
            counters.onSendDropped();
            return false;
        }
        counters.onSent(offloads ? length - OFFLOAD_HEADER_BYTES : length);
        VarHandle.fullFence();
        peer.rouse();
        return true;
    }

    private boolean mayPass(MemorySegment from, long offset, int length) {
        int frame = offloads ? length - OFFLOAD_HEADER_BYTES : length;
        if (frame < ETHERNET_BYTES || frame > FRAME_BYTES_MAX - OFFLOAD_HEADER_BYTES) {
            return false;
        }
        boolean complete = !offloads || OffloadHeader.isComplete(from, offset);
        if (!complete && (!peer.offloads || !OffloadHeader.fits(from, offset, frame))) {
            return false;
        }
        boolean whole = complete || OffloadHeader.isWhole(from, offset);
        return !whole || frame <= ETHERNET_BYTES + TAG_BYTES + mtu;
    }

    private void rouse() {
        Sleeper there = sleeper;
        if (there != null && wantsFrames) {
            there.rouse();
        }
    }

    @Override
    public boolean canOffload() {
        return canOffload;
    }

    @Override
    public void offloads(boolean on) {
        if (on && !canOffload) {
            throw new LinkException("offloads asked for at a cable that has none");
        }
        offloads = on;
    }

    @Override
    public boolean offloads() {
        return offloads;
    }

    @Override
    public boolean isUp() {
        return cable.up() && !closed && !peer.closed && peer.carrier;
    }

    /** The system's side of an end is the other end. */
    @Override
    public void carrier(boolean up) {
        carrier = up;
    }

    @Override
    public long macAddress() {
        return macAddress;
    }

    @Override
    public void macAddress(long bits) {
        macAddress = bits;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public void mtu(int bytes) {
        FrameCableOptions.checkMtu(bytes);
        mtu = bytes;
    }

    @Override
    public void wantsFrames(boolean yes) {
        wantsFrames = yes;
    }

    @Override
    public FrameCounters counters() {
        return counters;
    }

    @Override
    public void attach(Sleeper with) {
        sleeper = with;
    }

    @Override
    public long sleepMaxNs() {
        return wantsFrames && !closed && !incoming.isEmpty() ? 0 : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        closed = true;
    }
}
