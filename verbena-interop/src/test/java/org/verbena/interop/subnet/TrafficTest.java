package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.interop.peer.Verbena;

/** {@code verbena fabric --ibsim --traffic} under OpenSM: perfquery sees the traffic, and a pulled cable leads it to another one. */
final class TrafficTest {
    private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern ROUNDS = Pattern.compile("(\\d+) rounds verified, (\\d+) different");
    private static final Pattern SENT = Pattern.compile("PortXmitPkts:\\.*(\\d+)");
    private static final Pattern OUTPUT = Pattern.compile("(?m)^0x\\S+ (\\d{3}) :.*'h4'");

    /** Two switches, three hosts at each, and cables at their ports 7 and 8. */
    private static final Nets NET = Nets.TWO_SWITCH;

    private static final int CABLES = 7 + 8;

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    private static long last(Pattern pattern, int group, String text) {
        Matcher matcher = pattern.matcher(text);
        long found = -1;
        while (matcher.find()) {
            found = Long.parseLong(matcher.group(group));
        }
        return found;
    }

    /** Asks the console for the traffic until more rounds are verified than before. */
    private static long more(Verbena command, RunningTool manager, long rounds)
            throws IOException, InterruptedException {
        manager.await("more rounds than " + rounds, () -> {
            command.type("traffic");
            return last(ROUNDS, 1, command.said()) > rounds;
        });
        return last(ROUNDS, 1, command.said());
    }

    private static long sent(Seat tools, String sw, long port) throws IOException, InterruptedException {
        String[] words = {"perfquery", sw, "" + port};
        return last(
                SENT, 1, tools.run("perfquery", words).requires("PortXmitPkts").output());
    }

    @Test
    void aPulledCableLeadsTheTrafficToTheOtherOne() throws IOException, InterruptedException {
        try (Verbena command = Verbena.start("fabric " + NET.file() + " --ibsim 0 --traffic")) {
            command.says("IBSIM_SERVER_PORT");
            int port = (int) last(PORT, 1, command.said());
            Seat seat = new Seat(port, NET.host(), folder.resolve("manager"));
            Path log = seat.folder().resolve("osm.log");
            Files.createDirectories(seat.folder());
            try (RunningTool manager =
                    seat.start("opensm", Map.of(), "opensm", "-d", "2", "-f", "osm.log", "-s", "600")) {
                manager.awaitText(log, "SUBNET UP");
                long rounds = more(command, manager, 100);
                Seat tools = new Seat(port, "h2", folder.resolve("tools"));
                long cable = output(tools);
                assertTrue(cable == 7 || cable == 8, "by one of two cables: " + cable);
                long before = sent(tools, "2", cable);
                more(command, manager, rounds + 100);
                assertTrue(sent(tools, "2", cable) >= before + 100, "packets of the traffic at port " + cable);

                int sweeps = RunningTool.count(log, "SUBNET UP");
                command.type("unplug sw1[" + cable + "]").says("unplugged sw1[" + cable + "]");
                manager.await("a new sweep", () -> RunningTool.count(log, "SUBNET UP") > sweeps);
                assertEquals(CABLES - cable, output(tools));
                rounds = more(command, manager, last(ROUNDS, 1, command.said()) + 100);
                before = sent(tools, "2", CABLES - cable);
                more(command, manager, rounds + 100);
                assertTrue(sent(tools, "2", CABLES - cable) >= before + 100, "packets on the new way");
                assertEquals(0, last(ROUNDS, 2, command.said()), "rounds with wrong bytes");
            }
            command.type("quit");
            command.end().succeeds();
        }
    }

    /** The port by which the first switch reaches h4. */
    private static long output(Seat tools) throws IOException, InterruptedException {
        return last(
                OUTPUT,
                1,
                tools.run("ibroute", "ibroute", "2")
                        .requires("valid lids dumped")
                        .output());
    }
}
