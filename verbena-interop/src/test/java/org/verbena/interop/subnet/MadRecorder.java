package org.verbena.interop.subnet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the clients and a server of ibsim's protocol and writes down every datagram, in the form of the golden files but for the first
 * column, a number, and the transaction. Written from the protocol's description; shares no code with the server.
 */
final class MadRecorder implements AutoCloseable {
    private static final int SLOTS = 10;
    private static final int FIRST = 15_000;
    private static final int LAST = 18_900;
    private static final int BUFFER_BYTES = 4 << 20;

    private final int serverPort;
    private final int port;
    private final Selector selector = Selector.open();
    private final DatagramChannel control;
    private final List<DatagramChannel> down = new ArrayList<>();
    private final DatagramChannel upControl;
    private final Map<Integer, DatagramChannel> up = new HashMap<>();
    private final Map<Integer, InetSocketAddress> peers = new HashMap<>();
    private final List<String> lines = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;

    MadRecorder(int serverPort) throws IOException {
        this.serverPort = serverPort;
        int base = FIRST;
        DatagramChannel bound = null;
        while (bound == null) {
            bound = tryBind(base, down);
            base += bound == null ? 1 + SLOTS : 0;
            if (base > LAST) {
                throw new IOException("no free ports");
            }
        }
        this.control = bound;
        this.port = base;
        this.upControl = bind(0);
        upControl.connect(at(serverPort));
        upControl.configureBlocking(true);
        control.register(selector, SelectionKey.OP_READ, -1);
        for (int slot = 0; slot < SLOTS; slot++) {
            down.get(slot).register(selector, SelectionKey.OP_READ, slot);
        }
        this.thread = Thread.ofPlatform().name("recorder").start(this::run);
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    private static DatagramChannel bind(int port) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
            channel.bind(at(port));
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable DatagramChannel tryBind(int base, List<DatagramChannel> down) throws IOException {
        @Nullable DatagramChannel made = null;
        try {
            made = bind(base);
            for (int slot = 0; slot < SLOTS; slot++) {
                down.add(bind(base + 1 + slot));
            }
            return made;
        } catch (IOException e) {
            if (made != null) {
                made.close();
            }
            for (DatagramChannel channel : down) {
                channel.close();
            }
            down.clear();
            return null;
        }
    }

    int port() {
        return port;
    }

    private void run() {
        try {
            while (!stopped) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    onReady((DatagramChannel) key.channel(), (int) key.attachment());
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void onReady(DatagramChannel channel, int slot) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2048);
        InetSocketAddress source;
        try {
            source = (InetSocketAddress) channel.receive(bytes);
        } catch (PortUnreachableException e) {
            return; // the server has given the slot to another client
        }
        if (source == null) {
            return;
        }
        bytes.flip();
        if (slot == -1) {
            onControl(bytes.order(ByteOrder.LITTLE_ENDIAN), source);
        } else if (channel.equals(up.get(slot))) {
            record('<', slot, bytes);
            down.get(slot).send(bytes, peers.get(slot));
        } else {
            record('>', slot, bytes);
            Objects.requireNonNull(up.get(slot)).write(bytes);
        }
    }

    /** A client's data socket is replaced by one of the recorder. */
    private void onControl(ByteBuffer request, InetSocketAddress source) throws IOException {
        boolean connects = request.getInt(8) == 1;
        int clientPort = request.getInt(16);
        DatagramChannel made = connects ? bind(0) : null;
        if (made != null) {
            request.putInt(16, ((InetSocketAddress) made.getLocalAddress()).getPort());
        }
        upControl.write(request);
        ByteBuffer reply = ByteBuffer.allocate(2048).order(ByteOrder.LITTLE_ENDIAN);
        upControl.read(reply);
        reply.flip();
        if (made != null && reply.getInt(8) == 1) {
            int slot = reply.getInt(16);
            made.connect(at(serverPort + 1 + slot));
            made.register(selector, SelectionKey.OP_READ, slot);
            DatagramChannel old = up.put(slot, made);
            if (old != null) {
                old.close();
            }
            peers.put(slot, new InetSocketAddress(source.getAddress(), clientPort));
        }
        control.send(reply, source);
    }

    private synchronized void record(char direction, int slot, ByteBuffer message) {
        if (message.remaining() != 288) {
            lines.add(direction + " " + slot + " " + message.remaining() + " bytes");
            return;
        }
        byte[] mad = new byte[256];
        message.get(32, mad);
        ByteBuffer fields = ByteBuffer.wrap(mad);
        int managementClass = mad[1] & 0xff;
        boolean directed = managementClass == 0x81;
        boolean subnet = directed || managementClass == 1;
        int lost = message.getInt(16);
        HexFormat hex = HexFormat.of();
        String data = hex.formatHex(mad, subnet ? 64 : 24, subnet ? 128 : 256);
        lines.add(String.format(
                "%c %d %02x %02x %04x %08x %04x%s %d %d %d %s %s",
                direction,
                slot,
                managementClass,
                mad[3] & 0xff,
                fields.getShort(16) & 0xffff,
                fields.getInt(20),
                fields.getShort(4) & 0xffff,
                lost == 0 ? "" : "!" + lost,
                directed ? mad[7] : 0,
                message.getShort(0) & 0xffff,
                message.getShort(4) & 0xffff,
                directed ? path(mad) : "-",
                subnet ? data : data.replaceAll("(00)+$", "").replaceAll("^$", "-")));
    }

    private static String path(byte[] mad) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= mad[7]; i++) {
            text.append(i == 1 ? "" : ".").append(mad[128 + i] & 0xff);
        }
        return text.isEmpty() ? "0" : text.toString();
    }

    /** The lines so far. */
    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        upControl.close();
        selector.close();
    }
}
