package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.manage.agent.ManagedPort;

/** Two OpenSMs at one fabric: one is the master, the other stands by and takes over. */
final class TwoManagersTest {
    /** The manager that stands by asks the master this often. */
    private static final String SETTINGS = "sminfo_polling_timeout 500\npolling_retry_number 2\n";

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    private RunningTool start(ServedFabric ours, String node, int priority) throws IOException {
        Seat seat = new Seat(ours.port(), node, folder.resolve(node));
        Files.createDirectories(seat.folder());
        Files.writeString(seat.folder().resolve("opensm.conf"), SETTINGS);
        return seat.start(
                "opensm", Map.of(), "opensm", "-d", "2", "-F", "opensm.conf", "-f", "osm.log", "-p", "" + priority);
    }

    private Path log(String node) {
        return folder.resolve(node).resolve("osm.log");
    }

    @Test
    void theSecondStandsByAndTakesOverWhenTheFirstEnds() throws IOException, InterruptedException {
        try (ServedFabric ours = ServedFabric.of(Nets.TWO_SWITCH.file());
                RunningTool master = start(ours, "h1", 5)) {
            master.awaitText(log("h1"), "SUBNET UP");
            ManagedPort port = ours.fabric().node("h4").port(1);
            int lid = port.lid();
            try (RunningTool second = start(ours, "h5", 1)) {
                second.awaitText(log("h5"), "Entering STANDBY state");
                Seat asking = new Seat(ours.port(), "h5", folder.resolve("asking"));
                asking.run("sminfo", "sminfo").requires("sm lid 1 .*SMINFO_MASTER");
                assertEquals(0, RunningTool.count(log("h5"), "Entering MASTER state"));
                master.stop();
                second.awaitText(log("h5"), "Entering MASTER state");
                second.awaitText(log("h5"), "SUBNET UP");
                int at = ours.fabric().node("h5").port(1).lid();
                second.await("the new manager at every port", () -> port.managerLid() == at);
                asking.run("sminfo", "sminfo").requires("sm lid " + at + " .*SMINFO_MASTER");
                assertEquals(lid, port.lid());
                assertTrue(second.isRunning());
            }
        }
    }
}
