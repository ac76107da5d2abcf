package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenSM gives every port a management key. A tool without the key is refused: a counter rises, a trap is sent, and nothing else changes. */
final class ManagementKeyTest {
    private static final String KEY = "0x0000112233445566";
    private static final Pattern VIOLATIONS = Pattern.compile("MkeyViolations:\\.*(\\d+)");

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    private Seat manager(ServedFabric ours) throws IOException {
        Seat seat = new Seat(ours.port(), "h1", folder.resolve("manager"));
        Files.createDirectories(seat.folder());
        Files.writeString(
                seat.folder().resolve("opensm.conf"),
                "m_key " + KEY + "\nm_key_protection_level 2\nm_key_lease_period 0\n");
        return seat;
    }

    @Test
    void aToolWithoutTheKeyIsRefusedAndCountedAndTheManagerIsTold() throws IOException, InterruptedException {
        try (ServedFabric ours = ServedFabric.of(Nets.TWO_SWITCH.file())) {
            Seat seat = manager(ours);
            Path log = seat.folder().resolve("osm.log");
            try (RunningTool manager = seat.start(
                    "opensm", Map.of(), "opensm", "-d", "2", "-F", "opensm.conf", "-f", "osm.log", "-s", "600")) {
                manager.awaitText(log, "SUBNET UP");
                assertEquals(0, RunningTool.count(log, " ERR "), () -> "errors in " + text(log));
                assertEquals(0, RunningTool.count(log, "num:256"), () -> "traps in " + text(log));
                Seat tools = new Seat(ours.port(), "h2", folder.resolve("tools"));
                for (String[] attempt : attempts(ours)) {
                    refuses(tools, manager, log, attempt);
                }
            }
        }
    }

    /** Gets and Sets at an adapter and at a switch. */
    private static List<String[]> attempts(ServedFabric ours) {
        String host = "" + ours.fabric().node("h4").port(1).lid();
        String sw = "" + ours.fabric().node("sw2").port(0).lid();
        return List.of(
                new String[] {host, "1", "smpquery", "portinfo", host, "1"},
                new String[] {host, "1", "ibportstate", host, "1", "disable"},
                new String[] {sw, "0", "smpquery", "switchinfo", sw},
                new String[] {sw, "0", "ibportstate", "-D", "0,1,7", "1", "disable"});
    }

    private static void refuses(Seat tools, RunningTool manager, Path log, String[] attempt)
            throws IOException, InterruptedException {
        String before = registers(tools, attempt);
        int traps = RunningTool.count(log, "num:256");
        FinishedTool refused = tools.run("refused", Arrays.copyOfRange(attempt, 2, attempt.length));
        assertNotEquals(0, refused.status(), refused::toString);
        assertTrue(refused.output().contains("failed"), refused::toString);
        String after = registers(tools, attempt);
        assertTrue(violations(after) > violations(before), after);
        assertEquals(withoutViolations(before), withoutViolations(after));
        manager.await("trap 256", () -> RunningTool.count(log, "num:256") > traps);
    }

    /** Registers of the port, and links of the whole fabric. */
    private static String registers(Seat tools, String[] attempt) throws IOException, InterruptedException {
        return tools.run("portinfo", "smpquery", "-y", KEY, "portinfo", attempt[0], attempt[1])
                        .requires("MkeyViolations")
                        .output()
                + tools.run("iblinkinfo", "iblinkinfo", "-y", KEY)
                        .requires("Active/")
                        .output();
    }

    private static int violations(String registers) {
        Matcher matcher = VIOLATIONS.matcher(registers);
        assertTrue(matcher.find(), registers);
        return Integer.parseInt(matcher.group(1));
    }

    private static String withoutViolations(String registers) {
        return VIOLATIONS.matcher(registers).replaceAll("");
    }

    private static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
