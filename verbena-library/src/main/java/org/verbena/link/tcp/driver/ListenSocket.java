package org.verbena.link.tcp.driver;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;

/** A socket that listens. */
public interface ListenSocket {
    /**
     * The next stream; null if there is none now.
     *
     * @throws IOException if the system can give none
     */
    @Nullable
    StreamSocket accept() throws IOException;

    /** Where it listens. */
    Endpoint local();

    /** Has a sleeper watch it. */
    Watch watch(Sleeper sleeper, Runnable onReady);

    /** Closes it. Its watch is closed before. Called once. */
    void close();
}
