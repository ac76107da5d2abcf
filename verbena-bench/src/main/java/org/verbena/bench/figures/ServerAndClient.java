package org.verbena.bench.figures;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Two programs that measure together: a server at a port of 127.0.0.1 and a client. */
final class ServerAndClient {
    /** Until a server that was started listens. Nothing tells: to look by connecting would be taken for the client. */
    private static final long SETTLE_MS = 500;

    private static final int TRIES = 3;

    private ServerAndClient() {}

    /** A free port. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new MeasurementException("no free port: " + e.getMessage(), e);
        }
    }

    /** The output of the client. Each try has its own server, which is ended afterwards. */
    static String output(Program server, Program client) throws InterruptedException {
        for (int left = TRIES; ; left--) {
            try (Program.Running waiting = server.start()) {
                Thread.sleep(SETTLE_MS * (TRIES - left + 1));
                if (!waiting.isAlive()) {
                    waiting.output();
                }
                return client.output();
            } catch (MeasurementException e) {
                if (left == 1) {
                    throw e;
                }
            }
        }
    }
}
