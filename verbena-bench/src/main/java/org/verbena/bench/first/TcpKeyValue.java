package org.verbena.bench.first;

import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Values fetched over blocking TCP: a client sends 16 keys at once and reads 16 values; the server, a thread for each client,
 * answers all requests that have come with one write.
 */
public final class TcpKeyValue {
    private TcpKeyValue() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        run(Arguments.parse(arguments), System.out);
    }

    static void run(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        if (arguments.server()) {
            serve(arguments.port());
        } else {
            get(arguments, out);
        }
    }

    private static void serve(int port) throws IOException, InterruptedException {
        byte[] table = new byte[Table.KEYS * Table.VALUE_SIZE];
        for (int key = 0; key < Table.KEYS; key++) {
            ByteBuffer.wrap(table).putLong(key * Table.VALUE_SIZE, key);
        }
        Table.serve(port, client -> {
            try (ServerSocketChannel listening = ServerSocketChannel.open()) {
                listening.bind(Control.loopback(0));
                ServerSocket socket = listening.socket();
                client.send(socket.getLocalPort());
                SocketChannel channel = listening.accept();
                Background.start(() -> answer(channel, table));
            }
        });
    }

    private static void answer(SocketChannel channel, byte[] table) throws IOException {
        ByteBuffer keys = ByteBuffer.allocateDirect(Table.OUTSTANDING * Long.BYTES);
        ByteBuffer values = ByteBuffer.allocateDirect(Table.OUTSTANDING * Table.VALUE_SIZE);
        try (channel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            while (channel.read(keys) >= 0) {
                keys.flip();
                while (keys.remaining() >= Long.BYTES) {
                    values.put(table, (int) keys.getLong() * Table.VALUE_SIZE, Table.VALUE_SIZE);
                }
                keys.compact();
                values.flip();
                while (values.hasRemaining()) {
                    channel.write(values);
                }
                values.clear();
            }
        }
    }

    private static void get(Arguments arguments, PrintStream out) throws IOException, InterruptedException {
        try (Control server = Control.connect(arguments.port());
                SocketChannel channel = SocketChannel.open(Control.loopback((int) server.receive()))) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Table.measure(new Client(channel), arguments, server, out);
        }
    }

    private static final class Client implements Table.Getter {
        private final SocketChannel channel;
        private final ByteBuffer keys = ByteBuffer.allocateDirect(Table.OUTSTANDING * Long.BYTES);
        private final ByteBuffer values = ByteBuffer.allocateDirect(Table.OUTSTANDING * Table.VALUE_SIZE);

        Client(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public int get() throws IOException {
            keys.clear();
            while (keys.hasRemaining()) {
                keys.putLong(ThreadLocalRandom.current().nextInt(Table.KEYS));
            }
            keys.flip();
            while (keys.hasRemaining()) {
                channel.write(keys);
            }
            values.clear();
            while (values.hasRemaining()) {
                if (channel.read(values) < 0) {
                    throw new EOFException("the server has gone");
                }
            }
            for (int i = 0; i < Table.OUTSTANDING; i++) {
                Table.check(keys.getLong(i * Long.BYTES), values.getLong(i * Table.VALUE_SIZE));
            }
            return Table.OUTSTANDING;
        }
    }
}
