package org.verbena.adapter.ib.management;

import java.lang.foreign.MemorySegment;
import org.verbena.link.Endpoint;

/** Who serves a class of management datagrams. Called on the engine's thread; must not block, and must not throw for any content. */
@FunctionalInterface
public interface MadHandler {
    /**
     * A datagram came.
     *
     * @param source where an answer goes
     * @param mad its 256 bytes, valid until this returns
     */
    void onMad(long nowNs, Endpoint source, MemorySegment mad);
}
