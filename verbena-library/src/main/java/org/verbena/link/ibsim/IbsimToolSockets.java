package org.verbena.link.ibsim;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import org.verbena.link.LinkException;

/** The two UDP sockets of a tool that uses a server at ibsim's protocol: one for control messages, one for data. One thread calls everything. */
public final class IbsimToolSockets implements AutoCloseable {
    private final Selector selector;
    private final LoopbackChannel control;
    private final LoopbackChannel data;
    private final int serverPort;

    private IbsimToolSockets(Selector selector, int serverPort) {
        this.selector = selector;
        this.control = LoopbackChannel.listening(LoopbackChannel.CONTROL, 0, selector);
        this.data = LoopbackChannel.listening(0, 0, selector);
        this.serverPort = serverPort;
    }

    /**
     * Opens the sockets at ports of the system's choice.
     *
     * @param serverPort the control port of the server, on 127.0.0.1
     * @throws LinkException if the system refuses
     */
    public static IbsimToolSockets open(int serverPort) {
        try {
            Selector selector = Selector.open();
            try {
                return new IbsimToolSockets(selector, serverPort);
            } catch (LinkException e) {
                IbsimSockets.closeAll(selector);
                throw e;
            }
        } catch (IOException e) {
            throw new LinkException("sockets of a tool refused: " + e.getMessage(), e);
        }
    }

    /** The port of the socket for data. */
    public int dataPort() {
        try {
            return data.port();
        } catch (IOException e) {
            throw new LinkException("a socket of a tool is closed: " + e.getMessage(), e);
        }
    }

    /** Sends a whole buffer to the control port. */
    public void ask(ByteBuffer datagram) {
        control.send(datagram, new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
    }

    /** The address of the data port of a slot. */
    public InetSocketAddress slot(int slot) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort + 1 + slot);
    }

    /** Sends a whole buffer to a data port. */
    public void send(ByteBuffer datagram, InetSocketAddress slot) {
        data.send(datagram, slot);
    }

    /** Takes a reply of the control port that has arrived; false if there is none. */
    public boolean takeReply(ByteBuffer target) {
        return control.receive(target) != null;
    }

    /** Takes a message of a data port that has arrived; false if there is none. */
    public boolean takeData(ByteBuffer target) {
        return data.receive(target) != null;
    }

    /** Waits until a datagram has arrived, at most this long. */
    public void await(int mostMs) {
        try {
            selector.select(key -> {}, mostMs);
        } catch (IOException | ClosedSelectorException e) {
            // The next look shows what there is.
        }
    }

    @Override
    public void close() {
        IbsimSockets.closeAll(selector);
    }
}
