package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.fabric.topology.NetFile;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;

/** Captures at ports of a fabric, taken apart by tshark. */
final class FabricCaptureTest {
    private static final Path NET = Path.of("src/test/resources/subnets/two-switch/two-switch.net");

    @TempDir
    private Path folder;

    private final Fabric fabric = Fabric.of(NetFile.read(NET).topology());

    private void sweep() {
        SubnetManager manager = fabric.manage(fabric.port("h1", 1), ManagerOptions.DEFAULT);
        while (!manager.isUp()) {
            fabric.run(fabric.nextEventNs());
        }
    }

    static List<String> tshark(Path file, String... arguments) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException notFound) {
            assumeTrue(false, "tshark is not installed");
            throw notFound;
        }
        List<String> lines;
        try (var output = process.inputReader(StandardCharsets.UTF_8)) {
            lines = output.readAllLines();
        }
        assertEquals(0, process.waitFor());
        return lines;
    }

    @Test
    void tsharkDissectsASweepWithoutAComplaint() throws IOException, InterruptedException {
        Path file = folder.resolve("h1.pcapng");
        try (FabricCapture _ = fabric.capture(fabric.port("h1", 1), file)) {
            sweep();
        }
        long packets = fabric.port("h1", 1).counters().transmittedPackets
                + fabric.port("h1", 1).counters().receivedPackets;
        List<String> rows = tshark(
                file,
                "-T",
                "fields",
                "-E",
                "separator=|",
                "-e",
                "infiniband.lrh.vl",
                "-e",
                "infiniband.bth.destqp",
                "-e",
                "infiniband.mad.mgmtclass",
                "-e",
                "infiniband.mad.attributeid",
                "-e",
                "_ws.expert",
                "-e",
                "_ws.malformed");
        assertEquals(packets, rows.size());
        for (String row : rows) {
            String[] fields = row.split("\\|", -1);
            assertEquals("15", String.valueOf(Integer.decode(fields[0])), row);
            assertEquals(0, Integer.decode(fields[1]), row);
            assertEquals(0x81, Integer.decode(fields[2]), row);
            assertEquals("", fields[4] + fields[5], row);
        }
        assertTrue(rows.stream().anyMatch(row -> row.contains("0x0015")), "no PortInfo among " + rows.size());
    }

    @Test
    void aPortHasOneCaptureAtATime() throws IOException {
        try (FabricCapture _ = fabric.capture(fabric.port("h1", 1), folder.resolve("a.pcapng"))) {
            assertThrows(FabricException.class, () -> fabric.capture(fabric.port("h1", 1), folder.resolve("b.pcapng")));
        }
        fabric.capture(fabric.port("h1", 1), folder.resolve("c.pcapng")).close();
    }
}
