package org.verbena.interop.peer;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.verbena.link.Endpoint;
import org.verbena.link.frame.FramePort;
import org.verbena.link.frame.SocketPort;

/** A pair of datagram sockets that carry the frames of a VM's network card: one is QEMU's, the other is opened by a test. */
public final class CardSocket {
    private static final String HOST = "127.0.0.1";

    private final String netdev;
    private final Supplier<FramePort> port;

    private CardSocket(String netdev, Supplier<FramePort> port) {
        this.netdev = netdev;
        this.port = port;
    }

    /** Sockets of Unix in this directory. */
    static CardSocket unix(Path directory) {
        Path card = directory.resolve("card");
        Path port = directory.resolve("port");
        return new CardSocket(
                "dgram,local.type=unix,local.path=" + card + ",remote.type=unix,remote.path=" + port,
                () -> SocketPort.unix(port, card));
    }

    /** Sockets of UDP at ports that are free now. */
    static CardSocket udp() throws IOException {
        try (DatagramSocket card = free();
                DatagramSocket port = free()) {
            Endpoint cardAt = Endpoint.of(HOST, card.getLocalPort());
            Endpoint portAt = Endpoint.of(HOST, port.getLocalPort());
            return new CardSocket(
                    "dgram,local.type=inet,local.host=" + HOST + ",local.port=" + cardAt.port()
                            + ",remote.type=inet,remote.host=" + HOST + ",remote.port=" + portAt.port(),
                    () -> SocketPort.udp(portAt, cardAt));
        }
    }

    private static DatagramSocket free() throws IOException {
        return new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(HOST), 0));
    }

    /** QEMU's end, as its option {@code -netdev} has it, without an id. */
    String netdev() {
        return netdev;
    }

    /** Opens the other end, which is the caller's. At most one is open at a time. */
    public FramePort open() {
        return port.get();
    }
}
