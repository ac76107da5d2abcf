package org.verbena.tools.rping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.tools.CommandRun;
import org.verbena.tools.FreePort;
import org.verbena.tools.Tshark;

/** Two ends of ours on two addresses of this machine; {@code verbena-interop} has Linux at one of them. */
@Timeout(60)
final class RpingTest {
    @TempDir
    private Path directory = Path.of("unset");

    @Test
    void theDataIsReadAndWrittenBack() throws InterruptedException, IOException {
        CommandRun client = play(100, "");
        assertTrue(
                client.out().startsWith("ping data: rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abc"), client::out);
        assertTrue(client.out().contains("ping data: rdma-ping-2: CDEF"), client::out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--mpa 1", "--no-crc"})
    void theDataIsReadAndWrittenBackOverTcp(String ofClient) throws InterruptedException, IOException {
        CommandRun client = play(50_000, "--iwarp", ofClient);
        assertTrue(client.out().contains("ping data: rdma-ping-2: CDEF"), client::out);
    }

    @Test
    void aLongPingOverALossyLinkIsRight() throws InterruptedException, IOException {
        play(65535, "--loss 5");
    }

    @Test
    void wiresharkUnderstandsTheCapture() throws InterruptedException, IOException {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed");
        Path file = directory.resolve("rping.pcapng");
        play(5000, "--capture " + file);
        Tshark.requireGood(file, 30);
    }

    @Test
    void wiresharkUnderstandsTheCaptureOfStreams() throws InterruptedException, IOException {
        assumeTrue(Tshark.isInstalled(), "tshark is not installed");
        Path file = directory.resolve("rping.pcapng");
        play(5000, "--iwarp", "--capture " + file);
        Tshark.requireIwarp(file, 12);
    }

    private static CommandRun play(int size, String ofClient) throws InterruptedException, IOException {
        return play(size, "--udp-port " + FreePort.find(), ofClient);
    }

    private static CommandRun play(int size, String ofBoth, String ofClient) throws InterruptedException {
        String common = " -v -S " + size + " -p 7174 " + ofBoth + " ";
        CommandRun server = CommandRun.start(("rping -s -a 127.0.0.2" + common).split(" +"));
        server.awaitError("serving rping");
        CommandRun client =
                CommandRun.of(("rping -c -V -C 3 -I 127.0.0.1 -a 127.0.0.2" + common + ofClient).split(" +"));
        assertEquals(0, client.exitCode(), client::toString);
        assertEquals(0, server.exitCode(), server::toString);
        assertEquals(client.out(), server.out().replace("server ping data", "ping data"));
        return client;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-s                       | Missing required option: '-a=ADDR'",
                "-a 127.0.0.1             | Missing required argument",
                "-s -c -a 127.0.0.1       | mutually exclusive",
                "-s -a 0.0.0.0            | -a 0.0.0.0 found, a definite address expected",
                "-c -a 127.0.0.1 -S 10    | -S 10 found, 27 to 65535 expected",
                "-c -a 127.0.0.1 -C -1    | -C -1 found, 0 or more expected",
                "-s -a 127.0.0.1 --mpa 3  | --mpa 3 found, 1 or 2 expected",
            })
    void whatCannotBeIsMisuse(String options, String why) {
        CommandRun run = CommandRun.of(("rping " + options).split(" +"));
        assertEquals(2, run.exitCode(), run::toString);
        assertTrue(run.err().contains(why), run::toString);
    }
}
