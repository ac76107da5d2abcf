package org.verbena.tools.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.fabric.topology.NetFile;
import org.verbena.tools.CommandRun;
import org.verbena.tools.console.StopSign;

/** {@code verbena fabric --ibsim} and its console. */
final class FabricServingTest {
    private static final String NET = """
            Switch 4 "left"
            [1] "h1"[1]
            [3] "right"[3]
            [4] "right"[4]

            Switch 4 "right"
            [1] "h2"[1]
            [3] "left"[3]
            [4] "left"[4]

            Ca 1 "h1"
            [1] "left"[1]

            Ca 1 "h2"
            [1] "right"[1]
            """;

    @TempDir
    private Path folder = Path.of("");

    private Path net(String text) throws IOException {
        return Files.writeString(folder.resolve("small.net"), text);
    }

    /** Serves until the console says the end, which is the last of the lines. */
    private String serve(String text, String... lines) throws IOException, InterruptedException {
        StringWriter out = new StringWriter();
        BufferedReader console = new BufferedReader(new StringReader(String.join("\n", lines) + "\nquit\n"));
        new FabricServing(new PrintWriter(out, true), new StopSign()).run(NetFile.read(net(text)), 0, false, console);
        return out.toString();
    }

    @Test
    void oneLineTellsAddressAndPort() throws IOException, InterruptedException {
        String said = serve(NET);
        assertTrue(said.matches("serving 4 nodes at 127\\.0\\.0\\.1:\\d+ \\(IBSIM.*\\)\n"), said);
    }

    @Test
    void cablesArePulledAndPlugged() throws IOException, InterruptedException {
        String said = serve(
                NET,
                "unplug left[3]",
                "list left",
                "relink left[3]",
                "Unlink \"right\"",
                "plug left[1] h1[1]",
                "Link left[3] right[4]",
                "list right");
        assertTrue(said.contains("unplugged left[3] and right[3]"), said);
        assertTrue(said.contains("  [3] lid 0 DOWN/POLLING\n  [4] lid 0 INIT/LINK_UP -> right[4]"), said);
        assertTrue(said.contains("plugged left[3] and right[3]"), said);
        assertTrue(said.contains("unplugged right[1] and h2[1]"), said);
        assertTrue(said.contains("plug left[1] h1[1]: port left[1] with a cable to h1[1] found"), said);
        assertTrue(said.contains("plugged left[3] and right[4]"), said);
        assertTrue(said.contains("  [4] lid 0 INIT/LINK_UP -> left[3]"), said);
    }

    @Test
    void aLineThatIsNotUnderstoodSaysWhatWasExpected() throws IOException, InterruptedException {
        String said = serve(
                NET,
                "frob",
                "unplug",
                "unplug nosuch[1]",
                "unplug left[2]",
                "counters left[5]",
                "plug left[2]",
                "x [",
                "");
        assertTrue(said.contains("frob: unknown word, try help"), said);
        assertTrue(said.contains("unplug: 0 names found, one expected"), said);
        assertTrue(said.contains("unplug nosuch[1]: node \"nosuch\" found"), said);
        assertTrue(said.contains("unplug left[2]: no cable found"), said);
        assertTrue(said.contains("counters left[5]: port 5 of left found, [0] … [4] expected"), said);
        assertTrue(said.contains("plug left[2]: 1 ports found, two expected"), said);
        assertTrue(said.contains("x [: \"[\" found, NODE[PORT] expected"), said);
    }

    @Test
    void countersServerTrafficAndHelpAreShown() throws IOException, InterruptedException {
        String said = serve(NET, "counters left[1]", "server", "traffic", "help");
        assertTrue(said.contains("  PortXmitPkts: 0"), said);
        assertTrue(said.contains("0 clients at 127.0.0.1"), said);
        assertTrue(said.contains("no traffic: start with --traffic"), said);
        assertTrue(said.contains("relink NODE[PORT]"), said);
    }

    @Test
    void commandsOfTheNetFileAreFollowedBeforeTheServiceBegins() throws IOException, InterruptedException {
        String said = serve(NET + "\ndo Unlink \"left\"[3]\n");
        assertTrue(said.startsWith("unplugged left[3] and right[3]\nserving"), said);
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
            CommandRun run = CommandRun.of("fabric", net(NET).toString(), "--ibsim", "" + taken.getLocalPort());
            assertEquals(1, run.exitCode(), run::toString);
            assertTrue(
                    run.err().contains("UDP port " + taken.getLocalPort() + " of 127.0.0.1 is in use"), run::toString);
        }
    }

    @Test
    void trafficNeedsAServerAndAServerANetFile() throws IOException {
        assertEquals(
                2, CommandRun.of("fabric", net(NET).toString(), "--traffic").exitCode());
        assertEquals(
                2,
                CommandRun.of("fabric", "--generate", "ring:3,1", "--ibsim", "0")
                        .exitCode());
    }
}
