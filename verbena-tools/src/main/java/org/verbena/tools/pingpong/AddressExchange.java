package org.verbena.tools.pingpong;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;

/**
 * The TCP connection by which the ends learn each other's address, as rdma-core's ping-pongs do it: the client sends its
 * address, the server answers with its own when it is ready to receive, the client says {@code done}. Texts end with a zero
 * byte.
 */
final class AddressExchange implements AutoCloseable {
    /** Where servers listen, as in rdma-core. */
    static final int PORT = 18515;

    private static final byte[] DONE = {'d', 'o', 'n', 'e', 0};
    private static final int TIMEOUT_MS = 10_000;
    private static final int SLICE_MS = 200;

    private final Socket socket;
    private final StopSign stop;

    private AddressExchange(Socket socket, StopSign stop) throws IOException {
        this.socket = socket;
        this.stop = stop;
        socket.setSoTimeout(SLICE_MS);
        socket.setTcpNoDelay(true);
    }

    /** @throws ToolException if no server is there */
    static AddressExchange connect(String host, int port, StopSign stop) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            return new AddressExchange(socket, stop);
        } catch (IOException | RuntimeException e) {
            closeQuietly(socket);
            throw new ToolException(
                    "no server at " + host + " port " + port + " (" + e.getMessage()
                            + "): start it there first, without a host",
                    e);
        }
    }

    /** Waits for a client. @throws ToolException if the port cannot be had or the stop sign goes up */
    static AddressExchange accept(ServerSocket listener, StopSign stop) {
        try (listener) {
            listener.setSoTimeout(SLICE_MS);
            while (!stop.isRaised()) {
                try {
                    return new AddressExchange(listener.accept(), stop);
                } catch (SocketTimeoutException slice) {
                    // Checks the stop sign and waits again.
                }
            }
        } catch (IOException e) {
            throw new ToolException("cannot serve: " + e.getMessage(), e);
        }
        throw new ToolException("interrupted before a client came");
    }

    /** @throws ToolException if the port cannot be had */
    static ServerSocket listen(int port) {
        try {
            return new ServerSocket(port, 1);
        } catch (IOException e) {
            throw new ToolException("cannot serve on port " + port + ": " + e.getMessage(), e);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Everything was exchanged before, or the exchange has failed.
        }
    }

    /** The address by which this machine reaches the peer. */
    InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    void send(PingpongAddress address) {
        byte[] text = new byte[PingpongAddress.LENGTH];
        byte[] letters = address.encode().getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(letters, 0, text, 0, letters.length);
        write(text);
    }

    PingpongAddress receive() {
        byte[] text = read(PingpongAddress.LENGTH);
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return PingpongAddress.parse(new String(text, 0, length, StandardCharsets.US_ASCII));
    }

    void sayDone() {
        write(DONE);
    }

    void awaitDone() {
        read(DONE.length);
    }

    private void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private byte[] read(int length) {
        long deadlineNs = System.nanoTime() + TIMEOUT_MS * 1_000_000L;
        byte[] bytes = new byte[length];
        int filled = 0;
        while (filled < length) {
            filled += read(bytes, filled, deadlineNs);
        }
        return bytes;
    }

    private int read(byte[] bytes, int filled, long deadlineNs) {
        try {
            InputStream in = socket.getInputStream();
            int count = in.read(bytes, filled, bytes.length - filled);
            if (count < 0) {
                throw new ToolException(peer() + " closed the connection after " + filled + " bytes of an address, "
                        + bytes.length + " expected");
            }
            return count;
        } catch (SocketTimeoutException slice) {
            if (System.nanoTime() > deadlineNs) {
                throw new ToolException("heard nothing from " + peer() + " for too long", slice);
            }
            if (stop.isRaised()) {
                throw new ToolException("interrupted while waiting for " + peer(), slice);
            }
            return 0;
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private ToolException lost(IOException e) {
        return new ToolException("lost the connection to " + peer() + ": " + e.getMessage(), e);
    }

    private String peer() {
        return String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^.*/", "");
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }
}
