package org.verbena.tools.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.tools.CommandRun;
import org.verbena.tools.FreePort;
import org.verbena.tools.Tshark;

/** Two ends of ours; {@code verbena-interop} has Linux at one of them. */
@Timeout(60)
final class PingpongTest {
    @TempDir
    private Path directory = Path.of("unset");

    @ParameterizedTest
    @CsvSource({"rc, 1", "rc, 70000", "uc, 5000", "ud, 1", "ud, 4096"})
    void everyByteComesBack(String service, int size) throws InterruptedException {
        play(service + " -n 30 -m 4096 -e -c -s " + size, "", 0);
        play(service + " -n 30 -m 4096 -c -s " + size, "", 0);
    }

    @Test
    void lossIsRepaired() throws InterruptedException {
        play("rc -n 50 -s 9000 -e -c", "--loss 5", 0);
    }

    @ParameterizedTest
    @CsvSource({"rc", "uc", "ud"})
    void wiresharkUnderstandsTheCapture(String service) throws InterruptedException, IOException {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed");
        Path file = directory.resolve("pingpong.pcapng");
        play(service + " -n 10 -s 4000 -m 4096 -e -c", "--capture " + file, FreePort.find());
        Tshark.requireGood(file, service.equals("rc") ? 40 : 20);
    }

    private static void play(String plan, String ofClient, int udpPort) throws InterruptedException {
        String both = "pingpong " + plan + " --udp-port " + udpPort + " ";
        CommandRun server = CommandRun.start((both + "-a 127.0.0.2 -p 0").split(" +"));
        CommandRun client =
                CommandRun.of((both + "-a 127.0.0.1 " + ofClient + " -p " + port(server) + " 127.0.0.1").split(" +"));
        assertEquals(0, client.exitCode(), client::toString);
        assertEquals(0, server.exitCode(), server::toString);
        assertTrue(client.out().contains(" iters in "), client::toString);
        assertTrue(server.out().contains(" iters in "), server::toString);
    }

    private static int port(CommandRun server) throws InterruptedException {
        return Integer.parseInt(server.awaitError("on port ").replaceFirst("(?s).*on port (\\d+).*", "$1"));
    }

    @Test
    void aClientThatIsNoneIsToldApart() throws InterruptedException, IOException {
        CommandRun server = CommandRun.start("pingpong", "rc", "-p", "0", "-a", "127.0.0.1", "--udp-port", "0");
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".repeat(4).getBytes(StandardCharsets.US_ASCII));
            assertEquals(1, server.exitCode(), server::toString);
        }
        assertTrue(server.err().contains("an address of a ping-pong expected"), server::toString);
        assertFalse(server.err().contains("\tat "), server::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rc -m 1000         | --mtu 1000 found, 256, 512, 1024, 2048 or 4096 expected",
                "rc -s 0            | --size 0 found, 1 to 1073741824 expected",
                "ud -s 5000         | --size 5000 found, 1 to 4096 expected",
                "rc -a 0.0.0.0      | --bind 0.0.0.0 found, an address of this machine expected",
                "rc -l 16           | --sl 16 found, 0 to 15 expected",
                "rc --loss 100      | --loss 100.0 found, 0 to less than 100 expected",
                "xy                 | expected one of [RC, UC, UD]",
            })
    void whatCannotBeIsMisuse(String options, String why) {
        CommandRun run = CommandRun.of(("pingpong " + options).split(" +"));
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.err().contains(why), run::toString);
    }

    @Test
    void nobodyThereIsOneLine() {
        CommandRun client = CommandRun.of("pingpong", "rc", "127.0.0.1", "-p", "1");
        assertEquals(1, client.exitCode());
        assertTrue(client.err().contains("no server at 127.0.0.1 port 1"), client::err);
        assertEquals(1, client.err().lines().count());
    }
}
