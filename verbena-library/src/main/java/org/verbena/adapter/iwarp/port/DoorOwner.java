package org.verbena.adapter.iwarp.port;

import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamKind;

/** Takes what arrives at a {@link StreamDoor}. The engine's thread. */
public interface DoorOwner {
    /** Whether it takes one more request; if not, peers wait. */
    boolean hasRoom();

    /** The kind of a stream between these addresses, if they decide it; null if the stream's first bytes do. */
    @Nullable
    StreamKind kind(Endpoint local, Endpoint remote);

    /** A peer asks for a connection. The owner names the {@linkplain StreamOpening#owner owner} of the opening, and answers now or later. */
    void onRequest(StreamOpening opening);

    /**
     * A stream arrived that does not speak iWARP. The owner names its user, or closes it.
     *
     * @param stream still has all bytes that the peer sent; its user reads once without being told
     */
    void onOther(StreamKind kind, ByteStream stream);
}
