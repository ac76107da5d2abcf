package org.verbena.tools.perf;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;

/**
 * The TCP connection by which the two processes of a measurement agree, beside the one they measure. Lines of bounded
 * length, waited for a bounded time. Sending is for any thread, receiving for one.
 */
final class ControlChannel implements AutoCloseable {
    /** Where servers listen, as in perftest. */
    static final int PORT = 18515;

    /** How long the peer may take for any answer; while it measures it says more often that it is alive. */
    private static final int TIMEOUT_MS = 10_000;

    /** Said by a client from time to time, to be heard while it measures. */
    static final String ALIVE = "alive";

    private static final int VERSION = 1;
    private static final int LINE_MAX = 2048;
    private static final int SLICE_MS = 100;
    private static final String HELLO = "verbena-perf";
    private static final String REFUSED = "refused";

    private final Socket socket;
    private final InputStream in;
    private final StopSign stop;
    private final String peer;

    /** On a connected socket, which is closed with it. */
    ControlChannel(Socket socket, StopSign stop) throws IOException {
        this.socket = socket;
        this.stop = stop;
        this.peer = socket.getRemoteSocketAddress().toString().replaceFirst("^.*/", "");
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(SLICE_MS);
        this.in = socket.getInputStream();
    }

    /** @throws ToolException if no server is there */
    static ControlChannel connect(String host, int port, StopSign stop) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            return new ControlChannel(socket, stop);
        } catch (IOException | RuntimeException e) {
            closeQuietly(socket);
            throw new ToolException(
                    "no server at " + host + " port " + port + " (" + e.getMessage()
                            + "): start 'verbena perf OP' there first",
                    e);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing was exchanged.
        }
    }

    /** The address by which this machine reaches the peer. */
    InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    /** Address and port of the other process. */
    String peer() {
        return peer;
    }

    /** Both ends send their name and version, and end if those of the other do not fit. */
    void greet() {
        send(ControlMessage.of(HELLO, "version", VERSION));
        ControlMessage hello = receive();
        if (!hello.word().equals(HELLO)) {
            throw new ToolException(peer + " said \"" + hello.word() + "\", a greeting of verbena perf expected");
        }
        long version = hello.number("version", 0, Integer.MAX_VALUE);
        if (version != VERSION) {
            throw new ToolException("version " + version + " of the control protocol found at " + peer + ", " + VERSION
                    + " expected: use the same verbena at both ends");
        }
    }

    synchronized void send(ControlMessage message) {
        try {
            socket.getOutputStream().write((message.encode() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ToolException("lost the control connection to " + peer + ": " + e.getMessage(), e);
        }
    }

    /** Tells the peer why there will be no measurement. */
    void refuse(String reason) {
        send(ControlMessage.of(REFUSED, "reason", reason));
    }

    /** The next message but signs of life, which must be of this kind. */
    ControlMessage expect(String word) {
        long deadlineNs = deadlineNs();
        ControlMessage message;
        do {
            message = receive(deadlineNs);
        } while (message.word().equals(ALIVE));
        if (!message.word().equals(word)) {
            throw new ToolException(peer + " said \"" + message.word() + "\", \"" + word + "\" expected");
        }
        return message;
    }

    /** The next message; the peer's refusal is thrown. */
    ControlMessage receive() {
        return receive(deadlineNs());
    }

    private static long deadlineNs() {
        return System.nanoTime() + TIMEOUT_MS * 1_000_000L;
    }

    private ControlMessage receive(long deadlineNs) {
        ControlMessage message = ControlMessage.parse(readLine(deadlineNs));
        if (message.word().equals(REFUSED)) {
            throw new ToolException(peer + " refused: " + message.text("reason"));
        }
        return message;
    }

    private String readLine(long deadlineNs) {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = readByte(deadlineNs);
            if (next == '\n') {
                return line.toString();
            }
            if (line.length() == LINE_MAX) {
                throw new ToolException(
                        peer + " sent a line of more than " + LINE_MAX + " bytes, a message of verbena perf expected");
            }
            line.append((char) next);
        }
    }

    private int readByte(long deadlineNs) {
        while (true) {
            try {
                int next = in.read();
                if (next < 0) {
                    throw new ToolException(peer + " closed the control connection");
                }
                return next;
            } catch (SocketTimeoutException slice) {
                if (System.nanoTime() > deadlineNs) {
                    throw new ToolException("heard nothing from " + peer + " for too long", slice);
                }
                if (stop.isRaised()) {
                    throw new ToolException("interrupted while waiting for " + peer, slice);
                }
            } catch (IOException e) {
                throw new ToolException("lost the control connection to " + peer + ": " + e.getMessage(), e);
            }
        }
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }
}
