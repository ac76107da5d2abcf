package org.verbena.link.stream;

import java.nio.ByteBuffer;
import org.verbena.link.Endpoint;

/**
 * Both directions of a connection that carries bytes in order, without boundaries. No method waits. The thread that drives its network calls
 * everything.
 */
public interface ByteStream {
    /** In place of a number of bytes: the peer has ended its direction, or the connection is lost. */
    int END = -1;

    /** Takes bytes that have arrived, from the position of the buffer to at most its limit: how many, 0 if there are none now, or {@link #END}. */
    int read(ByteBuffer into);

    /** Gives bytes to the network: how many it took, 0 if it takes none now, or {@link #END}. */
    int write(ByteBuffer from);

    /**
     * Gives the bytes of several buffers to the network, one after the other.
     *
     * @param from the first {@code count} of them have bytes
     */
    default int write(ByteBuffer[] from, int count) {
        int written = 0;
        for (int i = 0; i < count; i++) {
            int part = write(from[i]);
            if (part == END) {
                return written == 0 ? END : written;
            }
            written += part;
            if (from[i].hasRemaining()) {
                break;
            }
        }
        return written;
    }

    /** Ends this side's direction behind the bytes that were given. */
    void endOutput();

    /** Ends both directions. Bytes that were not read are lost. The user is not told anything more. Closing again does nothing. */
    void close();

    /** Bytes of data in a packet of the network. */
    int packetMax();

    /** Address and port of this side. The port may be 0 until a stream that this side opens is open. */
    Endpoint local();

    /** Address and port of the peer. */
    Endpoint remote();

    /** Names the object that is told events from now on, in place of the one before. */
    void user(StreamUser user);

    /**
     * Sets the events that the user is told and that end a sleep: bytes to read, room to write, both or none. A new stream has none; the end
     * of an attempt to connect is told in any case. Costs nothing if nothing changes.
     */
    void wants(boolean read, boolean write);
}
