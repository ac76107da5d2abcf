package org.verbena.tools.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.tools.CommandRun;

/** A server and a client that agree over the control connection, as two processes do. */
@Timeout(60)
final class ClientServerTest {
    static Stream<Arguments> everyOperation() {
        return Stream.of(PerfOperation.values())
                .flatMap(operation -> Stream.of("--bw", "--lat")
                        .flatMap(mode -> Stream.of(
                                        "shared", "inline", "thread", "shared --link tcp", "inline --link tcp")
                                .map(run -> Arguments.of(operation, mode, run))));
    }

    @ParameterizedTest
    @MethodSource("everyOperation")
    void everyByteIsRightAndBothReportTheSame(PerfOperation operation, String mode, String run)
            throws InterruptedException {
        String way = " --idle backoff --run " + run;
        CommandRun server = serve("perf " + operation + " --json" + way);
        String size = operation.isAtomic() ? "8" : "9000";
        CommandRun client = ask(
                server,
                "perf " + operation + " 127.0.0.1 --verify --iters 100 --warmup 0.05 --json --size " + size + " " + mode
                        + way);
        assertEquals(0, client.exitCode(), client::toString);
        assertEquals(0, server.exitCode(), server::toString);
        assertTrue(client.out().contains("\"messages\": 100,"), client::toString);
        assertTrue(client.out().contains("\"errors\": 0"), client::toString);
        assertEquals(client.out(), server.out());
    }

    @Test
    void whatTheServerWasToldAsWellMayBeTheSame() throws InterruptedException {
        String told = " --lat --size 64 --iters 20 --warmup 0 --mtu 1024 --verify --depth 3 --signal 1 --inline 0";
        CommandRun server = serve("perf send" + told);
        CommandRun client = ask(server, "perf send localhost" + told);
        assertEquals(0, client.exitCode(), client::toString);
        assertEquals(0, server.exitCode(), server::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "send           | write             | op write asked for by the client, send expected by the server",
                "write --lat    | write             | mode bw asked for by the client, lat expected by the server",
                "read --size 64 | read --size 128   | size 128 asked for by the client, 64 expected by the server",
            })
    void whatTheyDisagreeOnIsToldAtBothEnds(String serverSays, String clientSays, String reason)
            throws InterruptedException {
        CommandRun server = serve("perf " + serverSays);
        CommandRun client = ask(server, "perf " + clientSays.replaceFirst(" |$", " 127.0.0.1 "));
        assertEquals(1, client.exitCode(), client::toString);
        assertEquals(1, server.exitCode(), server::toString);
        assertTrue(client.err().contains("refused: " + reason), client::toString);
        assertTrue(server.err().contains(reason), server::toString);
    }

    @Test
    void aStrangerIsSentAwayAndTheServerWaitsOn() throws IOException, InterruptedException {
        CommandRun server = serve("perf read");
        try (Socket stranger = connect(server)) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            server.awaitError("a message of verbena perf expected; waiting on");
        }
        try (Socket stranger = connect(server)) {
            stranger.getOutputStream().write("verbena-perf version=999\n".getBytes(StandardCharsets.US_ASCII));
            server.awaitError("version 999 of the control protocol found");
        }
        try (Socket stranger = connect(server)) {
            stranger.getOutputStream().write("x".repeat(5000).getBytes(StandardCharsets.US_ASCII));
            server.awaitError("more than 2048 bytes");
        }
        CommandRun client = ask(server, "perf read 127.0.0.1 --iters 10 --warmup 0");
        assertEquals(0, client.exitCode(), client::toString);
        assertEquals(0, server.exitCode(), server::toString);
    }

    @Test
    void aPlanThatCannotBeIsRefused() throws IOException, InterruptedException {
        CommandRun server = serve("perf read");
        try (Socket client = connect(server)) {
            String plan = ControlCodec.plan(PerfPlan.of(PerfOperation.READ, PerfMode.BANDWIDTH))
                    .encode()
                    .replace("depth=64", "depth=99999999");
            client.getOutputStream()
                    .write(("verbena-perf version=1\n" + plan + "\n").getBytes(StandardCharsets.US_ASCII));
            assertEquals(1, server.exitCode(), server::toString);
            assertTrue(server.err().contains("depth 99999999 found, 1 to 16384 expected"), server::toString);
        }
    }

    @Test
    void aClientThatLeavesEndsTheServer() throws IOException, InterruptedException {
        CommandRun server = serve("perf read");
        try (Socket client = connect(server)) {
            client.getOutputStream().write("verbena-perf version=1\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertEquals(1, server.exitCode());
        assertTrue(server.err().contains("closed the control connection"), server::toString);
    }

    @Test
    void nobodyThereIsOneLineThatSaysWhatToDo() {
        CommandRun client = CommandRun.of("perf", "read", "127.0.0.1", "--port", "1");
        assertEquals(1, client.exitCode());
        assertTrue(client.err().contains("no server at 127.0.0.1 port 1"), client::err);
        assertTrue(client.err().contains("start 'verbena perf OP' there first"), client::err);
        assertEquals(1, client.err().lines().count());
    }

    private static CommandRun serve(String line) throws InterruptedException {
        CommandRun server = CommandRun.start((line + " --port 0").split(" +"));
        server.awaitError("on port");
        return server;
    }

    private static int port(CommandRun server) {
        return Integer.parseInt(server.err().replaceFirst("(?s).*?on port (\\d+);.*", "$1"));
    }

    private static Socket connect(CommandRun server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port(server));
    }

    private static CommandRun ask(CommandRun server, String line) {
        return CommandRun.of((line + " --port " + port(server)).strip().split(" +"));
    }
}
