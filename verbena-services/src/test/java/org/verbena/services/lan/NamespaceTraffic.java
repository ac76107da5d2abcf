package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** Programs in Java that send and answer in network namespaces. Servers are daemon threads, which end when their channels are closed. */
final class NamespaceTraffic {
    static final int PORT = 5001;
    private static final int CONNECTION_BYTES = 1000;
    private static final int CHUNK_BYTES = 1 << 16;
    private static final long RESEND_NS = 1_000_000_000L;
    private static final int RESENDS_MAX = 30;

    private NamespaceTraffic() {}

    /** Something that may throw. */
    private interface Work {
        void run() throws IOException;
    }

    private static void serve(String name, Work work) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
            } catch (ClosedChannelException | CancelledKeyException | ClosedSelectorException e) {
                // the test is over
            } catch (IOException e) {
                System.out.println("traffic failed: " + e);
            }
        });
    }

    // --- datagrams

    /** A server that sends each datagram back. */
    static DatagramChannel datagramEcho(NetworkNamespace in, String address) throws Exception {
        DatagramChannel channel = in.call(() -> DatagramChannel.open().bind(new InetSocketAddress(address, PORT)));
        serve("datagram echo", () -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
            while (true) {
                buffer.clear();
                var from = channel.receive(buffer);
                channel.send(buffer.flip(), from);
            }
        });
        return channel;
    }

    /** Sends a datagram of each size 0 … most to an echo server, some at once, and compares what comes back. A datagram may be lost: it is sent again. */
    static void echoEverySize(NetworkNamespace from, String server, int most, int atOnce) throws Exception {
        BitSet missing = new BitSet();
        try (DatagramChannel channel = from.call(() -> DatagramChannel.open());
                Selector selector = Selector.open()) {
            // Not connected: a connected channel of the JDK sends no empty datagram.
            InetSocketAddress target = new InetSocketAddress(server, PORT);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            int resends = 0;
            int next = 0;
            while (next <= most || !missing.isEmpty()) {
                while (next <= most && missing.cardinality() < atOnce) {
                    channel.send(ByteBuffer.wrap(content(next)), target);
                    missing.set(next++);
                }
                if (selector.select(RESEND_NS / 1_000_000) == 0) {
                    assertTrue(resends++ < RESENDS_MAX, () -> "no reply of sizes " + missing);
                    for (int size = missing.nextSetBit(0); size >= 0; size = missing.nextSetBit(size + 1)) {
                        channel.send(ByteBuffer.wrap(content(size)), target);
                    }
                }
                selector.selectedKeys().clear();
                takeEchoes(channel, missing);
            }
        }
    }

    private static void takeEchoes(DatagramChannel channel, BitSet missing) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        while (channel.receive(buffer) != null) {
            int size = buffer.position();
            assertArrayEquals(content(size), Arrays.copyOf(buffer.array(), size), () -> "size " + size);
            missing.clear(size);
            buffer.clear();
        }
    }

    private static byte[] content(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    // --- a file by HTTP

    /** A server of one file: bytes that a seed gives. */
    static final class FileServer implements AutoCloseable {
        private final ServerSocketChannel listening;
        private final long bytes;
        private final byte[] block = content(CHUNK_BYTES + 251);

        FileServer(NetworkNamespace in, String address, long bytes) throws Exception {
            this.bytes = bytes;
            listening = in.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress(address, PORT)));
            serve("file server", this::run);
        }

        private void run() throws IOException {
            while (true) {
                try (SocketChannel accepted = listening.accept();
                        InputStream request = Channels.newInputStream(accepted);
                        OutputStream reply = Channels.newOutputStream(accepted)) {
                    skipRequest(request);
                    String head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + bytes + "\r\n\r\n";
                    reply.write(head.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                    for (long at = 0; at < bytes; at += CHUNK_BYTES) {
                        reply.write(block, shift(at), lengthAt(at));
                    }
                }
            }
        }

        private static void skipRequest(InputStream request) throws IOException {
            int last = 0;
            while ((last & 0xff_ffff) != 0x0a_0d_0a) {
                int next = request.read();
                if (next < 0) {
                    return;
                }
                last = last << 8 | next;
            }
        }

        /** Chunks differ from their neighbours, so that one that is missing or twice there changes the checksum. */
        private static int shift(long at) {
            return (int) (at / CHUNK_BYTES % 251);
        }

        private int lengthAt(long at) {
            return (int) Math.min(CHUNK_BYTES, bytes - at);
        }

        long checksum() {
            CRC32C sum = new CRC32C();
            for (long at = 0; at < bytes; at += CHUNK_BYTES) {
                sum.update(block, shift(at), lengthAt(at));
            }
            return sum.getValue();
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    /** Gets a file by curl and compares its checksum with that of the server's content. */
    static void fetch(NetworkNamespace to, NetworkNamespace from, String address, long bytes) throws Exception {
        try (FileServer server = new FileServer(from, address, bytes)) {
            String host = address.contains(":") ? "[" + address + "]" : address;
            Process curl =
                    to.start("curl", "-sS", "--noproxy", "*", "-m", "250", "http://" + host + ":" + PORT + "/file");
            CRC32C sum = new CRC32C();
            long count = 0;
            byte[] buffer = new byte[CHUNK_BYTES];
            InputStream got = curl.getInputStream();
            for (int read = got.read(buffer); read > 0; read = got.read(buffer)) {
                sum.update(buffer, 0, read);
                count += read;
            }
            assertEquals(0, curl.waitFor(), "exit code of curl");
            assertEquals(bytes, count);
            assertEquals(server.checksum(), sum.getValue(), "checksum");
        }
    }

    // --- many connections

    /** A server that sends everything back, on any number of connections. */
    private static void streamEcho(ServerSocketChannel listening, Selector selector) throws IOException {
        listening.configureBlocking(false);
        listening.register(selector, SelectionKey.OP_ACCEPT);
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
        while (selector.isOpen()) {
            selector.select();
            if (!selector.isOpen()) {
                return;
            }
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isAcceptable()) {
                    for (SocketChannel made = listening.accept(); made != null; made = listening.accept()) {
                        made.configureBlocking(false);
                        made.register(selector, SelectionKey.OP_READ);
                    }
                } else {
                    SocketChannel channel = (SocketChannel) key.channel();
                    buffer.clear();
                    if (channel.read(buffer) < 0) {
                        channel.close();
                    } else {
                        // Less than the socket's buffer holds: it is taken as a whole.
                        channel.write(buffer.flip());
                    }
                }
            }
            selector.selectedKeys().clear();
        }
    }

    /** One of many connections. */
    private static final class Connection {
        final SocketChannel channel;
        final byte[] sent;
        final ByteBuffer received = ByteBuffer.allocate(CONNECTION_BYTES);

        Connection(SocketChannel channel, int number) {
            this.channel = channel;
            sent = new byte[CONNECTION_BYTES];
            new Random(number).nextBytes(sent);
        }
    }

    /** Has a number of connections at once, and then an echo on each of them. */
    static void connectMany(NetworkNamespace from, NetworkNamespace to, String server, int count) throws Exception {
        try (ServerSocketChannel listening =
                        to.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress(server, PORT), count));
                Selector serving = Selector.open();
                Selector selector = Selector.open()) {
            serve("stream echo", () -> streamEcho(listening, serving));
            List<Connection> connections = new ArrayList<>();
            try {
                for (int i = 0; i < count; i++) {
                    SocketChannel channel = from.call(() -> SocketChannel.open());
                    connections.add(new Connection(channel, i));
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_CONNECT, connections.get(i));
                    channel.connect(new InetSocketAddress(server, PORT));
                }
                awaitAll(selector, count, connection -> connection.channel.finishConnect());
                for (Connection connection : connections) {
                    assertTrue(connection.channel.isConnected());
                    assertEquals(CONNECTION_BYTES, connection.channel.write(ByteBuffer.wrap(connection.sent)));
                    connection.channel.register(selector, SelectionKey.OP_READ, connection);
                }
                awaitAll(selector, count, connection -> {
                    assertTrue(connection.channel.read(connection.received) >= 0, "ended by the server");
                    return !connection.received.hasRemaining();
                });
                for (Connection connection : connections) {
                    assertArrayEquals(connection.sent, connection.received.array());
                }
            } finally {
                for (Connection connection : connections) {
                    connection.channel.close();
                }
                for (SelectionKey key : List.copyOf(serving.keys())) {
                    key.channel().close();
                }
            }
        }
    }

    private interface Step {
        boolean isDone(Connection connection) throws IOException;
    }

    private static void awaitAll(Selector selector, int count, Step step) throws IOException {
        int done = 0;
        while (done < count) {
            assertTrue(selector.select(60_000) > 0, "no event for 60 s, " + done + " of " + count + " done");
            for (SelectionKey key : selector.selectedKeys()) {
                if (step.isDone((Connection) key.attachment())) {
                    key.interestOps(0);
                    done++;
                }
            }
            selector.selectedKeys().clear();
        }
    }
}
