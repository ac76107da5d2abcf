package org.verbena.bench.first;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.verbena.link.Endpoint;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.RemoteMemory;

/**
 * The TCP socket on 127.0.0.1 where server and client meet: for addresses and orders, never for the data that is measured. One
 * thread at a time.
 */
final class Control implements AutoCloseable {
    /** The longest time that one end waits for the other. */
    static final int PATIENCE_MS = 60_000;

    private static final int RETRY_MS = 20;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private Control(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** A socket address of this machine that no other machine reaches. */
    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Waits for this many clients. */
    static List<Control> accept(int port, int clients) throws IOException {
        try (ServerSocket listening = new ServerSocket()) {
            listening.setReuseAddress(true);
            listening.bind(loopback(port));
            listening.setSoTimeout(PATIENCE_MS);
            List<Control> all = new ArrayList<>();
            while (all.size() < clients) {
                all.add(new Control(listening.accept()));
            }
            return all;
        }
    }

    /** Connects to a server that may not listen yet. */
    static Control connect(int port) throws IOException, InterruptedException {
        for (int left = PATIENCE_MS / RETRY_MS; ; left--) {
            Socket socket = new Socket();
            try {
                socket.connect(loopback(port));
                return new Control(socket);
            } catch (ConnectException e) {
                socket.close();
                if (left == 0) {
                    throw e;
                }
                Thread.sleep(RETRY_MS);
            }
        }
    }

    void send(long... numbers) throws IOException {
        for (long number : numbers) {
            out.writeLong(number);
        }
        out.flush();
    }

    long receive() throws IOException {
        return in.readLong();
    }

    void sendText(String text) throws IOException {
        out.writeUTF(text);
        out.flush();
    }

    String receiveText() throws IOException {
        return in.readUTF();
    }

    void send(RemoteMemory memory) throws IOException {
        out.write(memory.encode());
        out.flush();
    }

    RemoteMemory receiveMemory() throws IOException {
        return RemoteMemory.decode(in.readNBytes(RemoteMemory.ENCODED_LENGTH));
    }

    /** Waits until the other end has come to the same point. */
    void meet() throws IOException {
        send(0);
        receive();
    }

    /** Connects a queue pair to that which the other end connects, with default options. Both may send when it returns. */
    void connect(QueuePair queuePair) throws IOException {
        QueuePairAddress mine = queuePair.address();
        sendText(mine.endpoint().address().getHostAddress());
        send(mine.endpoint().port(), mine.number(), mine.firstPsn());
        Endpoint endpoint = Endpoint.of(receiveText(), (int) receive());
        queuePair.connect(new QueuePairAddress(endpoint, (int) receive(), (int) receive()), ConnectionOptions.DEFAULT);
        meet();
    }

    /** What the process at the other end, which {@linkplain #answer answers}, has used so far. */
    Usage usage() throws IOException {
        send(0);
        return new Usage(receive(), receive(), receive(), receive());
    }

    /** Tells the other end what this process has used, whenever it asks, until it has gone. */
    void answer(Supplier<Usage> usage) throws IOException {
        while (isAsked()) {
            Usage now = usage.get();
            send(now.cpuNs(), now.sent(), now.resent(), now.refused());
        }
    }

    private boolean isAsked() throws IOException {
        try {
            receive();
            return true;
        } catch (EOFException | SocketException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
