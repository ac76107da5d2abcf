package org.verbena.link.frame;

import java.lang.foreign.MemorySegment;
import org.verbena.link.WakeSource;

/**
 * A place where Ethernet frames come in and go out, without frame check sequence. Neither call waits. One thread at a time uses it.
 *
 * <p>If {@link #offloads} are on, each frame begins with a header of {@value #OFFLOAD_HEADER_BYTES} bytes, the {@code virtio_net_hdr} of Linux, in both directions.
 * Without offloads there is no header, and every frame is complete: its checksums are there, and it is not longer than the MTU allows.
 */
public interface FramePort extends WakeSource, AutoCloseable {
    /** Bytes of the header in front of each frame while offloads are on. */
    int OFFLOAD_HEADER_BYTES = 10;

    /** Bytes of the longest frame with offloads, header included: an IP packet of 65,535 bytes behind an Ethernet header with a VLAN tag. */
    int FRAME_BYTES_MAX = OFFLOAD_HEADER_BYTES + 18 + 65_535;

    /** Its name, for people. */
    String name();

    /**
     * Takes the next frame. Native memory only. Does not allocate.
     *
     * @param room bytes from the offset on that may be written
     * @return bytes of the frame, with its header if there is one; 0 if none is there now. A frame that is longer than the room is dropped, and
     *     counted as {@link FrameCounters#receiveTooLong}; the result is then 0 although more frames may be there
     */
    int receive(MemorySegment into, long offset, int room);

    /**
     * Sends a frame. Native memory only. Does not allocate.
     *
     * @param length bytes of the frame, with its header if there is one
     * @return false if the frame is dropped, and counted: the interface is down, its queue is full, or the frame is malformed
     */
    boolean send(MemorySegment from, long offset, int length);

    /** Whether the port is able to have {@link #offloads}. */
    boolean canOffload();

    /**
     * Switches offloads on or off: the frames that the port gives then have partial checksums and segments of up to 64 KiB, or not.
     *
     * @throws org.verbena.link.LinkException if the port cannot have them
     */
    void offloads(boolean on);

    /** Whether each frame has a header of {@link #OFFLOAD_HEADER_BYTES} bytes. */
    boolean offloads();

    /** Whether frames can go out: the interface is up and has a carrier. A look at the system, not for each frame. */
    boolean isUp();

    /**
     * Tells the system's side of the port that it has a carrier, or has lost it. Without effect for a port that has no such side.
     *
     * @throws org.verbena.link.LinkException if the system refuses
     */
    void carrier(boolean up);

    /** Its Ethernet address, 48 bits, the first byte in the highest ones; 0 if it has none of its own. */
    long macAddress();

    /**
     * Gives the interface another Ethernet address. Without effect for a port that has none of its own.
     *
     * @throws org.verbena.link.LinkException if the system refuses
     */
    void macAddress(long bits);

    /** Its MTU: bytes behind the Ethernet header. */
    int mtu();

    /**
     * Sets its MTU.
     *
     * @throws org.verbena.link.LinkException if the system refuses
     */
    void mtu(int bytes);

    /**
     * Has the port wake its sleeper for frames that come in, or not. A thread that cannot take frames now says no, so that it can sleep. At first it does.
     */
    void wantsFrames(boolean yes);

    /** Its counters, which count on; always the same object. */
    FrameCounters counters();

    /** Closes it. A second call does nothing. */
    @Override
    void close();
}
