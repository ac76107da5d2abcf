package org.verbena.fabric.ibsim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.link.LinkException;
import org.verbena.link.ibsim.IbsimSockets;

/** Bad input at the ports of the server, clients that end without a word, and more clients than ibsim has. */
final class IbsimNoiseTest {
    private static final int GET = 1;

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    private void requireAlive(MiniClient client) {
        client.send(MiniClient.message(0xffff, 0, 0x81, GET, 42));
        ByteBuffer answer = stand.data(client);
        assertEquals((0x8000L | client.slot()) << 48 | 42, answer.getLong(MiniClient.MAD + 8));
    }

    @Test
    void noiseAtTheControlPortHasNoEffectButACounter() throws IOException {
        MiniClient client = stand.connected("h1");
        MiniClient noisy = stand.client();
        Random random = new Random(11);
        for (int i = 0; i < 2000; i++) {
            byte[] noise = new byte[1 + random.nextInt(400)];
            random.nextBytes(noise);
            noisy.sendControl(ByteBuffer.wrap(noise));
            stand.turn();
        }
        try (DatagramChannel stranger = DatagramChannel.open()) {
            stranger.send(ByteBuffer.allocate(0), MiniClient.at(stand.server.port()));
        }
        stand.awaitTrue(() -> stand.server.counters().refusedControls() == 2001);
        requireAlive(client);
        assertEquals(1, stand.server.clientCount());
        byte[] good = MiniClient.control(0, 7, new byte[64]).array();
        client.sendControl(ByteBuffer.wrap(Arrays.copyOf(good, good.length - 1)));
        client.sendControl(ByteBuffer.wrap(Arrays.copyOf(good, good.length + 1)));
        stand.awaitTrue(() -> stand.server.counters().refusedControls() == 2003);
        requireNoControl(client);
        requireNoControl(noisy);
    }

    private void requireNoControl(MiniClient client) {
        for (int i = 0; i < 100; i++) {
            stand.turn();
            assertEquals(null, client.receiveControl());
        }
    }

    /** Right length and first word, anything else behind: answered, never an exception; what it connects is no other client. */
    @Test
    void anyControlMessageIsAnsweredAndLeavesOtherClientsAlone() throws IOException {
        MiniClient client = stand.connected("h1");
        MiniClient noisy = stand.client();
        Random random = new Random(12);
        for (int i = 0; i < 3000; i++) {
            byte[] noise = new byte[80];
            random.nextBytes(noise);
            ByteBuffer message = ByteBuffer.wrap(noise).putInt(0, 0xefbeadde);
            message.putInt(4, Integer.reverseBytes(random.nextInt(3)));
            message.putInt(8, Integer.reverseBytes(random.nextInt(12)));
            noisy.sendControl(message);
            stand.control(noisy);
        }
        requireAlive(client);
        assertTrue(stand.server.counters().refusedClients() > 0);
    }

    @Test
    void anyDataMessageLeavesTheServerAlive() throws IOException {
        stand.connected("h1");
        MiniClient noisy = stand.connected("h2");
        Random random = new Random(13);
        for (int i = 0; i < 5000; i++) {
            byte[] noise = new byte[random.nextBoolean() ? 288 : 1 + random.nextInt(500)];
            random.nextBytes(noise);
            if (noise.length == 288 && random.nextInt(4) > 0) {
                noise[32] = 1;
                noise[34] = 1;
                noise[33] = (byte) (random.nextBoolean() ? 0x81 : 1 + random.nextInt(8));
                noise[0] = 0;
                noise[1] = (byte) random.nextInt(4);
            }
            noisy.send(ByteBuffer.wrap(noise));
            stand.turn();
        }
        MiniClient later = stand.connected("sw1");
        requireAlive(later);
        assertTrue(stand.server.counters().refusedMads() > 1000, () -> "" + stand.server.counters());
        assertTrue(stand.server.counters().requests() > 500, () -> "" + stand.server.counters());
        assertEquals(3, stand.server.clientCount());
    }

    @Test
    void badLengthsVersionsAndRoutesAreRefused() throws IOException {
        MiniClient client = stand.connected("h1");
        List<ByteBuffer> bad = new ArrayList<>();
        for (int[] change : new int[][] {{0, 2}, {2, 3}, {6, 1}, {7, 64}, {4, 0x80}, {3, 0x81}}) {
            bad.add(MiniClient.message(0xffff, 0, 0x81, GET, 1).put(MiniClient.MAD + change[0], (byte) change[1]));
        }
        byte[] good = MiniClient.message(0xffff, 0, 0x81, GET, 1).array();
        bad.add(ByteBuffer.wrap(Arrays.copyOf(good, good.length - 1)));
        bad.add(ByteBuffer.wrap(Arrays.copyOf(good, good.length + 1)));
        bad.forEach(client::send);
        stand.awaitTrue(() -> stand.server.counters().refusedMads() == bad.size());
        assertEquals(0, stand.fabric.sent);
        requireAlive(client);
    }

    @Test
    void aDatagramFromAnotherSocketThanTheClientsIsRefusedAndCounted() throws IOException {
        MiniClient client = stand.connected("h1");
        try (DatagramChannel stranger = DatagramChannel.open()) {
            ByteBuffer message = MiniClient.message(0xffff, 0, 0x81, GET, 1);
            stranger.send(message, MiniClient.at(stand.server.port() + 1 + client.slot()));
            stranger.send(message.clear(), MiniClient.at(stand.server.port() + 1 + 5));
            stand.awaitTrue(() -> stand.server.counters().refusedSources() == 2);
        }
        assertEquals(0, stand.fabric.sent);
        requireAlive(client);
        stand.requireSilence(client);
    }

    @Test
    void theSocketOfAClientThatDisconnectedIsAStranger() throws IOException {
        MiniClient client = stand.connected("h1");
        stand.ask(client, 2);
        client.send(MiniClient.message(0xffff, 0, 0x81, GET, 1));
        stand.awaitTrue(() -> stand.server.counters().refusedSources() == 1);
        MiniClient next = stand.connected("h1");
        assertEquals(client.slot(), next.slot());
        requireAlive(next);
    }

    @Test
    void aClientThatEndedWithoutAWordIsNoticedWhenItGetsADatagram() throws IOException {
        MiniClient manager = stand.connected("h1", 1);
        manager.send(MiniClient.message(0xffff, 0, 0x81, GET, 1));
        stand.data(manager);
        MiniClient asker = stand.connected("h2");
        manager.close();
        asker.send(MiniClient.message(1, 1, 3, GET, 7));
        stand.awaitTrue(() -> stand.server.counters().vanished() == 1);
        assertTrue(stand.fabric.managers.isEmpty());
        assertEquals(1, stand.server.clientCount());
    }

    @Test
    void aClientThatEndedWithoutAWordIsNoticedAfterAWhile() throws IOException {
        MiniClient client = stand.connected("h1", 1);
        stand.nowNs += IbsimServer.LOOK_NS;
        stand.turn();
        assertEquals(1, stand.server.clientCount());
        client.close();
        stand.nowNs += IbsimServer.LOOK_NS;
        stand.turn();
        assertEquals(0, stand.server.clientCount());
        assertTrue(stand.fabric.managers.isEmpty());
        assertTrue(stand.fabric.attached.isEmpty());
    }

    @Test
    void aManagerMayConnectAfterOneThatEndedWithoutAWord() throws IOException {
        stand.connected("h1", 1).close();
        assertEquals(0, stand.connected("h1", 1).slot());
    }

    @Test
    void manyClientsAreServedAndOneMoreIsRefusedUntilOneEnds() throws IOException {
        List<MiniClient> clients = new ArrayList<>();
        for (int i = 0; i < IbsimSockets.SLOTS_MAX; i++) {
            clients.add(stand.connected(i % 2 == 0 ? "h1" : "h2"));
        }
        for (MiniClient client : clients) {
            requireAlive(client);
        }
        assertEquals(0, stand.connect(stand.client(), "h1", 0).getInt(8));
        MiniClient ended = clients.get(17);
        ended.close();
        assertEquals(ended.slot(), stand.connected("h1").slot());
    }

    @Test
    void aFullServerGivesANewClientTheSlotOfTheOneThatIsSilentForLongest() throws IOException {
        List<MiniClient> clients = new ArrayList<>();
        for (int i = 0; i < IbsimSockets.SLOTS_MAX; i++) {
            clients.add(stand.connected("h1"));
            stand.nowNs++;
        }
        stand.nowNs += IbsimServer.SILENCE_MAX_NS / 2;
        requireAlive(clients.get(0));
        assertEquals(0, stand.connect(stand.client(), "h1", 0).getInt(8));
        stand.nowNs += IbsimServer.SILENCE_MAX_NS / 2;
        assertEquals(clients.get(1).slot(), stand.connected("h1").slot());
        assertEquals(1, stand.server.counters().displaced());
    }

    @Test
    void aPortInUseIsNamed() {
        int control = stand.server.port();
        LinkException thrown = assertThrows(LinkException.class, () -> IbsimSockets.open(control));
        assertTrue(String.valueOf(thrown.getMessage()).contains("port " + control + " "), thrown::getMessage);
        LinkException behind = assertThrows(LinkException.class, () -> IbsimSockets.open(control - 1));
        assertTrue(String.valueOf(behind.getMessage()).contains("port " + control + " "), behind::getMessage);
        assertThrows(LinkException.class, () -> IbsimSockets.open(65_530));
        assertThrows(LinkException.class, () -> IbsimSockets.open(-1));
    }

    @Test
    void aPortWithAClientIsStillInUse() throws IOException {
        MiniClient client = stand.connected("h1");
        try (DatagramChannel other = DatagramChannel.open()) {
            other.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            assertThrows(IOException.class, () -> other.bind(MiniClient.at(stand.server.port() + 1 + client.slot())));
        }
    }

    @Test
    void aSleepEndsWhenADatagramArrivesOrAnotherThreadWakes() throws IOException {
        MiniClient client = stand.connected("h1");
        client.send(MiniClient.message(0xffff, 0, 0x81, GET, 1));
        stand.server.sleep(Long.MAX_VALUE);
        assertEquals(1, stand.server.poll(stand.nowNs));
        stand.server.wake();
        stand.server.sleep(Long.MAX_VALUE);
        assertEquals(0, stand.server.poll(stand.nowNs));
    }
}
