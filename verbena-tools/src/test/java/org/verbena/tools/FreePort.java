package org.verbena.tools;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;

/** UDP ports that two ends on this machine can both have, at two of its addresses. */
public final class FreePort {
    private FreePort() {}

    /** One that is free at 127.0.0.1 and at 127.0.0.2. */
    public static int find() throws IOException {
        while (true) {
            try (DatagramSocket one = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
                    DatagramSocket other = new DatagramSocket(one.getLocalPort(), InetAddress.ofLiteral("127.0.0.2"))) {
                return other.getLocalPort();
            } catch (BindException taken) {
                // Another one.
            }
        }
    }
}
