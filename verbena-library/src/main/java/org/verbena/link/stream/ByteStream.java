package org.verbena.link.stream;

import java.nio.ByteBuffer;

/** Both directions of a connection that carries bytes in order, without boundaries. No method waits. One thread. */
public interface ByteStream {
    /** In place of a number of bytes: the peer has ended its direction, or the connection is lost. */
    int END = -1;

    /** Takes bytes that have arrived, from the position of the buffer to at most its limit: how many, 0 if there are none now, or {@link #END}. */
    int read(ByteBuffer into);

    /** Gives bytes to the network: how many it took, 0 if it takes none now, or {@link #END}. */
    int write(ByteBuffer from);

    /** Ends this side's direction behind the bytes that were given. */
    void endOutput();

    /** Ends both directions. Bytes that were not read are lost. */
    void close();

    /** Bytes of data in a packet of the network. */
    int packetMax();
}
