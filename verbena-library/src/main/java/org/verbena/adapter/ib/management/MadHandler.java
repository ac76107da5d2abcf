package org.verbena.adapter.ib.management;

import java.lang.foreign.MemorySegment;
import org.verbena.link.Endpoint;

/** Serves a class of management datagrams. Called on the engine's thread; must not block, and must not throw for any content. */
@FunctionalInterface
public interface MadHandler {
    /**
     * Takes a datagram that has arrived.
     *
     * @param source the endpoint that an answer goes to
     * @param mad the 256 bytes of the datagram, valid until this returns
     */
    void onMad(long nowNs, Endpoint source, MemorySegment mad);
}
