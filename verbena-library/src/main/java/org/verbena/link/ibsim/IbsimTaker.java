package org.verbena.link.ibsim;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** Takes the datagrams of {@link IbsimSockets}. Must not throw for any content. */
public interface IbsimTaker {
    /**
     * A datagram arrived at the control port.
     *
     * @param datagram its first {@code length} bytes count; valid until this returns
     * @param length its bytes; {@link IbsimSockets#LENGTH_MAX} + 1 if it is longer than any message
     */
    void onControl(MemorySegment datagram, int length, InetSocketAddress source);

    /** A datagram arrived at the data port of a slot, from the slot's client. The arguments are as those of {@link #onControl}. */
    void onData(int slot, MemorySegment datagram, int length);

    /** The client of a slot has closed its socket. The slot is still connected. */
    void onGone(int slot);
}
