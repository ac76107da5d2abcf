package org.verbena.tools.link;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.verbena.link.Endpoint;
import org.verbena.tools.console.ToolException;

/** Addresses of this machine. */
public final class LocalAddress {
    private LocalAddress() {}

    /** The address from which another one is reached. No packet is sent. @throws ToolException if there is no route */
    public static InetAddress towards(InetAddress remote) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(remote, Endpoint.ROCE_PORT));
            return socket.getLocalAddress();
        } catch (IOException | RuntimeException e) {
            throw new ToolException("no way to " + remote.getHostAddress() + ": " + e.getMessage(), e);
        }
    }
}
