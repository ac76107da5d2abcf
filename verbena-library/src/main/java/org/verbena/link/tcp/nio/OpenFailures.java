package org.verbena.link.tcp.nio;

import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.util.Locale;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.StreamFailure;
import org.verbena.link.tcp.driver.OpenFailure;

/** The kinds of the JDK's exceptions. The JDK has no class for some kinds, so the system's text decides; it may be in another language. */
final class OpenFailures {
    private OpenFailures() {}

    static OpenFailure of(Exception thrown, Endpoint local, Endpoint remote) {
        String reason = String.valueOf(thrown.getMessage());
        return new OpenFailure(kind(thrown, reason.toLowerCase(Locale.ROOT)), local, remote, reason);
    }

    private static StreamFailure kind(Exception thrown, String reason) {
        return switch (thrown) {
            case ConnectException _ -> reason.contains("timed out") ? StreamFailure.TIMED_OUT : StreamFailure.REFUSED;
            case NoRouteToHostException _ -> StreamFailure.UNREACHABLE;
            case BindException _ ->
                reason.contains("denied") || reason.contains("permitted")
                        ? StreamFailure.UNREACHABLE
                        : StreamFailure.EXHAUSTED;
            default ->
                reason.contains("buffer space") || reason.contains("memory") || reason.contains("too many")
                        ? StreamFailure.EXHAUSTED
                        : StreamFailure.UNREACHABLE;
        };
    }
}
