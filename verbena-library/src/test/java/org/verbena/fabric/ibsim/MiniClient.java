package org.verbena.fabric.ibsim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A client of the protocol, written from its description alone: it shares no code with the server. It never waits. */
final class MiniClient implements AutoCloseable {
    static final int CONTROL_LENGTH = 80;
    static final int DATA_LENGTH = 288;
    static final int MAD = 32;

    private final int serverPort;
    private final DatagramChannel control;
    private final DatagramChannel data;
    private int slot;

    MiniClient(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.control = open();
        this.data = open();
        control.connect(at(serverPort));
    }

    private static DatagramChannel open() throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.bind(at(0));
        channel.configureBlocking(false);
        return channel;
    }

    static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    int slot() {
        return slot;
    }

    int dataPort() {
        return port(data);
    }

    private static int port(DatagramChannel channel) {
        try {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ByteBuffer control(int client, int type, byte[] content) {
        return ByteBuffer.allocate(CONTROL_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0xdeadbeef)
                .putInt(client)
                .putInt(type)
                .putInt(content.length)
                .put(content)
                .clear();
    }

    void ask(int type, byte... content) {
        sendControl(control(slot, type, content));
    }

    void sendControl(ByteBuffer datagram) {
        try {
            control.write(datagram);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void askToConnect(String node, int isManager) {
        ByteBuffer content = ByteBuffer.allocate(44).order(ByteOrder.LITTLE_ENDIAN);
        content.putInt(dataPort()).putInt(0).putInt(isManager).put(node.getBytes(StandardCharsets.UTF_8));
        sendControl(control(0, 1, content.array()));
    }

    /** The slot of a reply to a connect is the client's from now on. */
    void onConnected(ByteBuffer reply) {
        slot = reply.getInt(16);
        try {
            data.connect(at(serverPort + 1 + slot));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A reply of the control port; null if there is none yet. Its numbers are little-endian. */
    @Nullable
    ByteBuffer receiveControl() {
        ByteBuffer reply = receive(control);
        return reply == null ? null : reply.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A message of the data port; null if there is none yet. */
    @Nullable
    ByteBuffer receiveData() {
        return receive(data);
    }

    private static @Nullable ByteBuffer receive(DatagramChannel channel) {
        ByteBuffer reply = ByteBuffer.allocate(1024);
        try {
            return channel.receive(reply) == null ? null : reply.flip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A message with a management datagram of 24 bytes of header and zeros. */
    static ByteBuffer message(int targetLid, int queuePair, int managementClass, int method, long transaction) {
        ByteBuffer message = ByteBuffer.allocate(DATA_LENGTH);
        int sourceLid = targetLid == 0xffff ? 0xffff : 0;
        message.putInt(targetLid << 16)
                .putInt(sourceLid << 16)
                .putInt(queuePair)
                .putInt(queuePair);
        message.putLong(0).putLong(256);
        message.put((byte) 1).put((byte) managementClass).put((byte) 1).put((byte) method);
        message.putShort((short) (managementClass == 0x81 && (method & 0x80) != 0 ? 0x8000 : 0));
        message.putShort((short) 0).putLong(transaction);
        message.putInt(MAD + 32, managementClass == 0x81 ? 0xffffffff : 0);
        return message.clear();
    }

    void send(ByteBuffer message) {
        try {
            data.write(message.clear());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends as a killed program does. */
    @Override
    public void close() {
        try {
            control.close();
            data.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
