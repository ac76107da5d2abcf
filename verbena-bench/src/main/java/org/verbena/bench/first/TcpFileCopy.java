package org.verbena.bench.first;

import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Copies a file over a blocking TCP socket: the client hands it to the socket by {@code transferTo}, the server reads into a buffer
 * of a mebibyte and writes. The argument of its own is the size of the file in bytes.
 */
public final class TcpFileCopy {
    private static final int BUFFER = 1 << 20;

    private TcpFileCopy() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        if (arguments.server()) {
            serve(Control.accept(arguments.port(), 1).getFirst());
        } else {
            copy(Control.connect(arguments.port()), arguments, out);
        }
    }

    private static void serve(Control client) throws IOException, InterruptedException {
        try (client;
                ServerSocketChannel listening = ServerSocketChannel.open().bind(Control.loopback(0))) {
            client.send(listening.socket().getLocalPort());
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
            try (SocketChannel channel = listening.accept()) {
                Copies.serve(client, (file, size) -> {
                    while (file.position() < size) {
                        buffer.clear().limit((int) Math.min(BUFFER, size - file.position()));
                        if (channel.read(buffer) < 0) {
                            throw new EOFException("the client has gone");
                        }
                        buffer.flip();
                        while (buffer.hasRemaining()) {
                            file.write(buffer);
                        }
                    }
                });
            }
        }
    }

    private static void copy(Control server, Arguments arguments, PrintStream out)
            throws IOException, InterruptedException {
        try (server;
                SocketChannel channel = SocketChannel.open(Control.loopback((int) server.receive()))) {
            Copies.measure(
                    server,
                    (file, size) -> {
                        long sent = 0;
                        while (sent < size) {
                            sent += file.transferTo(sent, size - sent, channel);
                        }
                    },
                    arguments,
                    out);
        }
    }
}
