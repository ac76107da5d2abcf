package org.verbena.fabric.ibsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server over a {@link StandFabric}, driven by the test's thread, and its clients. */
final class Stand implements AutoCloseable {
    /** Loopback datagrams arrive at once; the limit is for machines that stop for a while. */
    private static final int TURNS_MAX = 2_000_000;

    private static final int TURNS_OF_SILENCE = 200;

    final StandFabric fabric = new StandFabric();
    final IbsimServer server = IbsimServer.open(fabric.nodes, fabric, 0);
    long nowNs;

    private final List<MiniClient> clients = new ArrayList<>();

    void turn() {
        server.poll(nowNs);
        fabric.run();
    }

    private <T> T await(Supplier<@Nullable T> source) {
        for (int i = 0; i < TURNS_MAX; i++) {
            turn();
            T found = source.get();
            if (found != null) {
                return found;
            }
        }
        throw new AssertionError("no answer; " + server.counters());
    }

    /** Nothing more arrives at the client. */
    void requireSilence(MiniClient client) {
        for (int i = 0; i < TURNS_OF_SILENCE; i++) {
            turn();
            assertNull(client.receiveData());
        }
    }

    void awaitTrue(Supplier<Boolean> condition) {
        await(() -> condition.get() ? this : null);
    }

    MiniClient client() throws IOException {
        MiniClient client = new MiniClient(server.port());
        clients.add(client);
        return client;
    }

    ByteBuffer connect(MiniClient client, String node, int isManager) {
        client.askToConnect(node, isManager);
        return control(client);
    }

    MiniClient connected(String node) throws IOException {
        return connected(node, 0);
    }

    MiniClient connected(String node, int isManager) throws IOException {
        MiniClient client = client();
        ByteBuffer reply = connect(client, node, isManager);
        assertEquals(1, reply.getInt(8), "type of the reply");
        client.onConnected(reply);
        return client;
    }

    ByteBuffer control(MiniClient client) {
        ByteBuffer reply = await(client::receiveControl);
        assertEquals(MiniClient.CONTROL_LENGTH, reply.remaining());
        return reply;
    }

    ByteBuffer ask(MiniClient client, int type, byte... content) {
        client.ask(type, content);
        return control(client);
    }

    ByteBuffer data(MiniClient client) {
        ByteBuffer message = await(client::receiveData);
        assertEquals(MiniClient.DATA_LENGTH, message.remaining());
        return message;
    }

    @Override
    public void close() {
        clients.forEach(MiniClient::close);
        server.close();
    }
}
