package org.verbena.bench.first;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/** 64 bytes there and back on a blocking TCP socket with TCP_NODELAY. */
public final class TcpPingPong {
    private static final int SIZE = RoundTrips.SIZE;

    private TcpPingPong() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        if (arguments.server()) {
            serve(Control.accept(arguments.port(), 1).getFirst());
        } else {
            ask(Control.connect(arguments.port()), arguments, out);
        }
    }

    private static void serve(Control client) throws IOException {
        try (client;
                ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            client.send(listening.getLocalPort());
            try (Socket socket = listening.accept()) {
                socket.setTcpNoDelay(true);
                Background.start(() -> echo(socket));
                client.answer(Usage::ofProcess);
            }
        }
    }

    /** Sends every message back, until the other end closes. */
    static void echo(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream answers = socket.getOutputStream();
        byte[] message = new byte[SIZE];
        while (in.readNBytes(message, 0, SIZE) == SIZE) {
            answers.write(message);
        }
    }

    private static void ask(Control server, Arguments arguments, PrintStream out)
            throws IOException, InterruptedException {
        try (server;
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), (int) server.receive())) {
            socket.setTcpNoDelay(true);
            RoundTrips.measure(trip(socket), arguments, server, Usage::ofProcess, out);
        }
    }

    /** One message there and back on a socket. */
    static RoundTrips.Trip trip(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream messages = socket.getOutputStream();
        byte[] message = new byte[SIZE];
        byte[] answer = new byte[SIZE];
        return () -> {
            message[0]++;
            messages.write(message);
            in.readFully(answer);
            if (!Arrays.equals(message, answer)) {
                throw new IllegalStateException("the message that was sent did not come back");
            }
        };
    }
}
