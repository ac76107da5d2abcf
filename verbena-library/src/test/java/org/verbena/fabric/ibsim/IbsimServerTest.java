package org.verbena.fabric.ibsim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The protocol byte by byte, by a client that shares no code with the server. */
final class IbsimServerTest {
    private static final int GET = 1;
    private static final int RESPONSE = 0x81;
    private static final int VENDOR = 0x32;
    private static final long TRANSACTION = 0x7777_0003_1234_5678L;

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    private static byte[] all(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.limit()];
        bytes.get(0, copy);
        return copy;
    }

    private static String hex(ByteBuffer bytes) {
        return HexFormat.of().formatHex(all(bytes));
    }

    private static String nodeOf(ByteBuffer reply) {
        return new String(all(reply), 28, 32, StandardCharsets.US_ASCII).replace("\0", "");
    }

    @Test
    void theReplyToAConnectHasSlotAndNodeAndIsElseTheRequest() throws IOException {
        MiniClient client = stand.client();
        ByteBuffer reply = stand.connect(client, "h2", 0);
        assertEquals(
                "efbeadde00000000010000002c00000000000000" + "00000000".repeat(2) + "6832" + "00".repeat(50),
                hex(reply));
    }

    @Test
    void everyClientGetsTheLowestFreeSlot() throws IOException {
        MiniClient first = stand.connected("h1");
        MiniClient second = stand.connected("h1");
        MiniClient third = stand.connected("h2");
        assertEquals(2, third.slot());
        assertEquals(1, second.slot());
        assertEquals(2, stand.ask(second, 2).getInt(8), "echo");
        assertEquals(1, stand.connected("sw1").slot());
        assertEquals(0, first.slot());
        assertEquals(1, stand.server.counters().disconnected());
    }

    @Test
    void aClientWithoutANodeIsAtTheFirst() throws IOException {
        ByteBuffer reply = stand.connect(stand.client(), "", 0);
        assertEquals("h1", nodeOf(reply));
        assertEquals(stand.fabric.host.port(1), stand.fabric.attached.getFirst().port);
    }

    @Test
    void aClientOfASwitchIsAtPort0AndOneMayChooseAPort() throws IOException {
        stand.connected("sw1");
        stand.connected("h1[2]");
        assertEquals(stand.fabric.bridge.port(0), stand.fabric.attached.get(0).port);
        assertEquals(stand.fabric.host.port(2), stand.fabric.attached.get(1).port);
    }

    @Test
    void aConnectToAnUnknownNodeOrPortIsAnError() throws IOException {
        for (String name : new String[] {"nosuch", "h1[3]", "h1[0]", "sw1[1]", "[1]", "h1[", "h1[99999]"}) {
            ByteBuffer reply = stand.connect(stand.client(), name, 0);
            assertEquals(0, reply.getInt(8), name);
            assertEquals(name, nodeOf(reply), "the rest is the request");
        }
        assertEquals(7, stand.server.counters().controlErrors());
        assertEquals(0, stand.server.clientCount());
    }

    @Test
    void aConnectWithoutADataPortIsAnError() throws IOException {
        MiniClient client = stand.client();
        for (int port : new int[] {0, -1, 65536}) {
            byte[] content =
                    ByteBuffer.allocate(44).putInt(Integer.reverseBytes(port)).array();
            client.sendControl(MiniClient.control(0, 1, content));
            assertEquals(0, stand.control(client).getInt(8));
        }
    }

    /** Replies of ibsim 0.10 at a switch of eight ports, without a cable in its port 1. */
    @Test
    void theAnswersAboutASwitchAreThoseOfIbsim() throws IOException {
        MiniClient client = stand.connected("sw1");
        assertEquals("000004" + "00".repeat(61), data(stand.ask(client, 3)));
        assertEquals(
                "c902000038c70000a1000000000000000100000000000000" + "00".repeat(40),
                data(stand.ask(client, 4, new byte[24])));
        assertEquals("fe80000000000000" + "0001000002c90200" + "00".repeat(48), data(stand.ask(client, 5)));
        assertEquals("0001000002c90200" + "00".repeat(56), data(stand.ask(client, 6)));
        assertEquals(
                "010102080002c902000001000002c902000001000002c902000001000008c738000000a1000002c9" + "00".repeat(24),
                data(stand.ask(client, 7, new byte[64])));
        assertEquals(
                "000000000000000000000000000000000000000000" + "00c04800000ff900021f0274520011104000080803004000000000"
                        + "0000011f080000000000000000300000",
                data(stand.ask(client, 8, new byte[64])));
        byte[] portOne = new byte[64];
        portOne[0] = 1;
        assertEquals("22", data(stand.ask(client, 8, portOne)).substring(66, 68), "port 1 polls for a link");
        assertEquals("ffff" + "00".repeat(62), data(stand.ask(client, 10, new byte[64])));
    }

    private static String data(ByteBuffer reply) {
        return hex(reply).substring(32);
    }

    @Test
    void nodeInfoOfAnAdapterHasThePortOfTheClient() throws IOException {
        assertEquals(
                "02", data(stand.ask(stand.connected("h1[2]"), 7, new byte[64])).substring(72, 74));
        assertEquals(
                "01", data(stand.ask(stand.connected("h1"), 7, new byte[64])).substring(72, 74));
    }

    @Test
    void aPortThatTheNodeHasNotIsAnError() throws IOException {
        MiniClient client = stand.connected("h1");
        byte[] portThree = new byte[64];
        portThree[0] = 3;
        ByteBuffer reply = stand.ask(client, 8, portThree);
        assertEquals(0, reply.getInt(8));
        assertEquals(3, reply.get(16), "the rest is the request");
    }

    @Test
    void aNodeIsFoundByItsDescription() throws IOException {
        assertEquals("h2", nodeOf(stand.connect(stand.client(), "description of h2", 0)));
    }

    @Test
    void unknownTypesAndSlotsAreErrors() throws IOException {
        MiniClient client = stand.connected("h1");
        for (int type : new int[] {0, 11, 99, -1}) {
            assertEquals(0, stand.ask(client, type).getInt(8), () -> "type " + type);
        }
        for (int slot : new int[] {1, 63, 64, 50_000, -1}) {
            client.sendControl(MiniClient.control(slot, 7, new byte[64]));
            assertEquals(0, stand.control(client).getInt(8), () -> "slot " + slot);
        }
    }

    @Test
    void aControlMessageWithTheSlotOfAnotherClientHasNoEffect() throws IOException {
        MiniClient client = stand.connected("h1");
        MiniClient liar = stand.connected("h2");
        liar.sendControl(MiniClient.control(client.slot(), 2, new byte[0]));
        assertEquals(0, stand.control(liar).getInt(8));
        assertEquals(2, stand.server.clientCount());
        assertEquals(1, stand.server.counters().refusedClients());
    }

    @Test
    void isManagerReachesThePortAndEndsWithTheClient() throws IOException {
        MiniClient client = stand.connected("h1");
        assertEquals(
                "0900000004000000" + "01000000",
                hex(stand.ask(client, 9, (byte) 1, (byte) 0, (byte) 0, (byte) 0))
                        .substring(16, 40));
        assertTrue(stand.fabric.managers.contains(stand.fabric.host.port(1)));
        stand.ask(client, 9, new byte[4]);
        assertTrue(stand.fabric.managers.isEmpty());
        stand.connected("h2", 1);
        assertTrue(stand.fabric.managers.contains(stand.fabric.other.port(1)));
        assertEquals(0, stand.connect(stand.client(), "h2", 1).getInt(8), "a second manager at the port");
        stand.ask(client, 9, (byte) 1, (byte) 0, (byte) 0, (byte) 0);
        stand.ask(client, 2);
        assertFalse(stand.fabric.managers.contains(stand.fabric.host.port(1)));
    }

    @Test
    void theAnswerOfAnAgentHasTheSlotInItsTransactionAndTheAddressesOfItsWay() throws IOException {
        stand.connected("h1");
        MiniClient client = stand.connected("h1");
        client.send(MiniClient.message(0xffff, 0, 0x81, GET, TRANSACTION));
        ByteBuffer answer = stand.data(client);
        assertEquals(
                "ffff0000" + "ffff0000" + "00000000".repeat(4) + "0000000000000100",
                hex(answer).substring(0, 64));
        assertEquals(0x8001_0003_1234_5678L, answer.getLong(MiniClient.MAD + 8));
        assertEquals(RESPONSE, answer.get(MiniClient.MAD + 3) & 0xff);
    }

    @Test
    void aLostRequestIsRepeatedAndThenGivenBack() throws IOException {
        MiniClient client = stand.connected("h1");
        ByteBuffer request = MiniClient.message(9, 1, VENDOR, GET, TRANSACTION);
        request.put(MiniClient.MAD + 255, (byte) 0x5a);
        client.send(request);
        ByteBuffer back = stand.data(client);
        request.putShort(MiniClient.MAD + 8, (short) 0x8000);
        request.putShort(4, (short) 1); // the server fills in the source
        request.putInt(16, 110);
        assertArrayEquals(all(request), all(back));
        assertEquals(1 + Client.REPEATS_MAX, stand.fabric.sent);
        assertEquals(Client.REPEATS_MAX, stand.server.counters().repeated());
        assertEquals(1, stand.server.counters().bounced());
        stand.requireSilence(client);
    }

    @Test
    void aRequestThatIsLostNowAndThenIsAnswered() throws IOException {
        MiniClient client = stand.connected("h1");
        stand.fabric.losses = Client.REPEATS_MAX;
        client.send(MiniClient.message(0xffff, 0, 0x81, GET, TRANSACTION));
        assertEquals(RESPONSE, stand.data(client).get(MiniClient.MAD + 3) & 0xff);
        stand.requireSilence(client);
        assertEquals(0, stand.server.counters().bounced());
    }

    /** An adapter inside the fabric asks the subnet administration by transactions of its own. */
    @Test
    void aResponseWithASmallTransactionIsForNoClient() throws IOException {
        MiniClient client = stand.connected("h1");
        MiniClient other = stand.connected("h2");
        other.send(MiniClient.message(1, 1, 3, RESPONSE, 0x100));
        assertEquals(110, stand.data(other).getInt(16));
        stand.requireSilence(client);
    }

    @Test
    void aRepressionOfATrapKeepsItsTransactionAndNeverComesBack() throws IOException {
        MiniClient client = stand.connected("h1");
        client.send(MiniClient.message(3, 0, 1, 7, TRANSACTION));
        stand.awaitTrue(() -> !stand.fabric.repressed.isEmpty());
        assertEquals("7777000312345678", stand.fabric.repressed.getFirst());
        stand.fabric.losses = 1;
        client.send(MiniClient.message(3, 0, 1, 7, TRANSACTION));
        stand.requireSilence(client);
    }

    @Test
    void aQuestionToTheManagerReachesTheManagerAndItsAnswerTheAsker() throws IOException {
        MiniClient manager = stand.connected("h1", 1);
        manager.send(MiniClient.message(0xffff, 0, 0x81, GET, 1));
        stand.data(manager);
        MiniClient listening = stand.connected("h1");
        MiniClient asker = stand.connected("h2");
        asker.send(MiniClient.message(1, 1, 3, GET, TRANSACTION));
        ByteBuffer question = stand.data(manager);
        assertEquals(
                "00010000" + "00020000" + "00000001".repeat(2), hex(question).substring(0, 32));
        assertEquals(0x8002_0003_1234_5678L, question.getLong(MiniClient.MAD + 8));
        ByteBuffer answer = MiniClient.message(2, 1, 3, RESPONSE, question.getLong(MiniClient.MAD + 8));
        manager.send(answer);
        ByteBuffer received = stand.data(asker);
        assertEquals(0x8002_0003_1234_5678L, received.getLong(MiniClient.MAD + 8));
        assertEquals("00020000" + "00010000", hex(received).substring(0, 16));
        stand.requireSilence(listening);
    }

    @Test
    void aToolThatSendsSubnetManagementIsNoManager() throws IOException {
        MiniClient tool = stand.connected("h1");
        tool.send(MiniClient.message(0xffff, 0, 0x81, GET, 1));
        stand.data(tool);
        MiniClient asker = stand.connected("h2");
        asker.send(MiniClient.message(1, 1, 3, GET, TRANSACTION));
        assertEquals(110, stand.data(asker).getInt(16));
        stand.requireSilence(tool);
    }

    @Test
    void aToolThatListensAndCallsItselfManagerGetsNoQuestionsToTheManager() throws IOException {
        MiniClient listening = stand.connected("h1", 1);
        MiniClient asker = stand.connected("h2");
        asker.send(MiniClient.message(1, 0, 1, GET, TRANSACTION));
        assertEquals(110, stand.data(asker).getInt(16));
        asker.send(MiniClient.message(1, 1, VENDOR, GET, TRANSACTION + 1));
        assertEquals(VENDOR, stand.data(listening).get(MiniClient.MAD + 1));
        stand.requireSilence(asker);
    }

    @Test
    void aRequestOfAVendorReachesTheClientThatOnlyListens() throws IOException {
        MiniClient manager = stand.connected("h1", 1);
        manager.send(MiniClient.message(0xffff, 0, 0x81, GET, 1));
        stand.data(manager);
        MiniClient asker = stand.connected("h2");
        asker.send(MiniClient.message(1, 1, VENDOR, GET, TRANSACTION));
        assertEquals(110, stand.data(asker).getInt(16), "a manager does not listen to vendors");
        MiniClient listening = stand.connected("h1");
        MiniClient later = stand.connected("h1");
        asker.send(MiniClient.message(1, 1, VENDOR, GET, TRANSACTION));
        long transaction = stand.data(listening).getLong(MiniClient.MAD + 8);
        listening.send(MiniClient.message(2, 1, VENDOR, RESPONSE, transaction));
        assertEquals(0, stand.data(asker).getInt(16));
        stand.requireSilence(later);
    }

    @Test
    void aClientThatHasAnsweredAClassGetsItsNextRequestEvenIfItHasAskedMeanwhile() throws IOException {
        MiniClient server = stand.connected("h1");
        MiniClient asker = stand.connected("h2");
        asker.send(MiniClient.message(1, 1, VENDOR, GET, TRANSACTION));
        server.send(
                MiniClient.message(2, 1, VENDOR, RESPONSE, stand.data(server).getLong(MiniClient.MAD + 8)));
        stand.data(asker);
        server.send(MiniClient.message(0xffff, 0, 0x81, GET, 1));
        stand.data(server);
        MiniClient listening = stand.connected("h1");
        asker.send(MiniClient.message(1, 1, VENDOR, GET, TRANSACTION));
        assertEquals(VENDOR, stand.data(server).get(MiniClient.MAD + 1));
        stand.requireSilence(listening);
    }
}
