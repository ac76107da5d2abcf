package org.verbena.bench.first;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests of 64 bytes and their answers on blocking TCP sockets, a virtual thread for each socket at both ends. The argument of
 * its own is the number of threads.
 */
public final class TcpRequests {
    private TcpRequests() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments.more());
        if (arguments.server()) {
            serve(Control.accept(arguments.port(), 1).getFirst(), threads);
        } else {
            ask(Control.connect(arguments.port()), threads, arguments, out);
        }
    }

    private static void serve(Control client, int threads) throws IOException {
        try (client;
                ServerSocket listening = new ServerSocket(0, threads, InetAddress.getLoopbackAddress())) {
            client.send(listening.getLocalPort());
            for (int i = 0; i < threads; i++) {
                Socket socket = listening.accept();
                socket.setTcpNoDelay(true);
                Background.startVirtual(() -> TcpPingPong.echo(socket));
            }
            client.answer(Usage::ofProcess);
        }
    }

    private static void ask(Control server, int threads, Arguments arguments, PrintStream out)
            throws IOException, InterruptedException {
        List<Socket> sockets = new ArrayList<>();
        try (server) {
            int port = (int) server.receive();
            List<RoundTrips.Trip> trips = new ArrayList<>();
            while (sockets.size() < threads) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(socket);
                socket.setTcpNoDelay(true);
                trips.add(TcpPingPong.trip(socket));
            }
            ManyThreads.measure(trips, arguments, out);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
