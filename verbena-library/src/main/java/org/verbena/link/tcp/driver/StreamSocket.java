package org.verbena.link.tcp.driver;

import java.nio.ByteBuffer;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.stream.ByteStream;

/** The socket of one stream. */
public interface StreamSocket {
    /** As {@link ByteStream#read}. The stream is open. */
    int read(ByteBuffer into);

    /** As {@link ByteStream#write}. The stream is open. */
    int write(ByteBuffer from);

    /** As {@link ByteStream#write(ByteBuffer[], int)}. The stream is open. */
    int write(ByteBuffer[] from, int count);

    /** Whether the stream is open; false if the attempt is still under way. */
    boolean finishConnect() throws OpenFailure;

    /** As {@link ByteStream#endOutput}. The stream is open. */
    void endOutput();

    /** Closes it. Its watch is closed before. Called once. */
    void close();

    /** Address and port of this side. The port may be 0 until the stream is open. */
    Endpoint local();

    /** Address and port of the peer. */
    Endpoint remote();

    /** Has a sleeper watch it. */
    Watch watch(Sleeper sleeper, Runnable onReady);
}
