package org.verbena.tools.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.tools.CommandRun;
import org.verbena.tools.FreePort;

final class LanCommandTest {
    private static final int ATTEMPTS_MAX = 600;

    /** Two stations, each at the far end of a driver's socket. */
    @ParameterizedTest
    @ValueSource(strings = {"roce", "iwarp"})
    void aFrameGoesFromTheHostsSocketToTheUnits(String wire) throws IOException {
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        try (DatagramSocket lan = new DatagramSocket(0, here);
                DatagramSocket os = new DatagramSocket(0, here)) {
            int unitPort = free();
            int hostPort = free();
            String udp = String.valueOf(FreePort.find());
            String listen = "127.0.0.1:" + FreePort.find();
            CommandRun unit = CommandRun.start(
                    "lan",
                    "unit",
                    "--listen",
                    listen,
                    "--socket",
                    pair(unitPort, lan),
                    "--udp-port",
                    udp,
                    "--wire",
                    wire,
                    "--duration",
                    "12");
            CommandRun host = CommandRun.start(
                    "lan",
                    "host",
                    "--unit",
                    listen,
                    "--socket",
                    pair(hostPort, os),
                    "--udp-port",
                    udp,
                    "--wire",
                    wire,
                    "--duration",
                    "10",
                    "--mac",
                    "02:00:00:00:00:0a",
                    "--mtu",
                    "9000",
                    "--bind",
                    "127.0.0.2");
            byte[] frame = new byte[100];
            Arrays.fill(frame, 0, 6, (byte) 0xff);
            frame[6] = 2;
            frame[11] = 0x0a;
            frame[12] = (byte) 0x88;
            frame[13] = (byte) 0xb5;
            frame[99] = 77;
            assertTrue(crosses(frame, os, hostPort, lan), () -> unit + "\n" + host);
            assertEquals(0, host.exitCode(), host::toString);
            assertTrue(host.out().contains("up: 02:00:00:00:00:0a, MTU 9000, unit unit"), host::toString);
            assertTrue(host.out().contains("tx_packets: "), host::toString);
            assertEquals(0, unit.exitCode(), unit::toString);
            assertTrue(unit.out().contains("unit at " + listen), unit::toString);
        }
    }

    private static boolean crosses(byte[] frame, DatagramSocket from, int to, DatagramSocket at) throws IOException {
        at.setSoTimeout(10);
        InetSocketAddress driver = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), to);
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            from.send(new DatagramPacket(frame, frame.length, driver));
            DatagramPacket got = new DatagramPacket(new byte[2000], 2000);
            try {
                at.receive(got);
                return Arrays.equals(frame, Arrays.copyOf(got.getData(), got.getLength()));
            } catch (SocketTimeoutException notYet) {
                // The drivers are not connected yet.
            }
        }
        return false;
    }

    private static int free() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private static String pair(int local, DatagramSocket remote) {
        return "127.0.0.1:" + local + ",127.0.0.1:" + remote.getLocalPort();
    }

    @Test
    void badOptionsAreRefusedWithTheValueFound() {
        assertRefused(
                "--listen nowhere found", "lan", "unit", "--listen", "nowhere", "--socket", "127.0.0.1:1,127.0.0.1:2");
        assertRefused(
                "--socket 127.0.0.1:1 found", "lan", "unit", "--listen", "127.0.0.1:9", "--socket", "127.0.0.1:1");
        assertRefused(
                "mtu must be 68 … 9216; found 10000",
                "lan",
                "unit",
                "--listen",
                "127.0.0.1:9",
                "--mtu",
                "10000",
                "--tap",
                "x");
        assertRefused("found \"02:00\"", "lan", "host", "--unit", "127.0.0.1:9", "--mac", "02:00", "--tap", "x");
        assertRefused("expected unit or host", "lan");
    }

    private static void assertRefused(String part, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.err().contains(part), run::toString);
    }
}
