package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.fabric.topology.NetFile;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Vcrc;
import org.verbena.wire.pcap.Erf;

/** Captures at ports of a fabric, taken apart by tshark. */
final class FabricCaptureTest {
    // In a file of captures: a block with a packet, and two places in it.
    private static final int ENHANCED_PACKET = 6;
    private static final int CAPTURED_LENGTH = 20;
    private static final int PACKET_DATA = 28;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

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
        List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
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
    void bothCrcsOfEachPacketAreRightAtEachPort() throws IOException {
        List<FabricCapture> captures = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (ManagedNode node : fabric.nodes()) {
            for (int port = 1; port <= node.portCount(); port++) {
                Path file = folder.resolve(node.name() + "-" + port + ".pcapng");
                files.add(file);
                captures.add(fabric.capture(node.port(port), file));
            }
        }
        sweep();
        captures.forEach(FabricCapture::close);
        long packets = 0;
        for (Path file : files) {
            packets += requireCrcs(file);
        }
        // Each hop is in the captures of two ports.
        assertEquals(2 * fabric.hops(), packets);
    }

    private static long requireCrcs(Path file) throws IOException {
        byte[] all = Files.readAllBytes(file);
        ByteBuffer bytes = ByteBuffer.allocateDirect(all.length).put(all).clear();
        MemorySegment segment = MemorySegment.ofBuffer(bytes);
        Icrc icrc = new Icrc();
        long packets = 0;
        for (long block = 0; block < all.length; block += segment.get(INT, block + 4)) {
            if (segment.get(INT, block) == ENHANCED_PACKET) {
                int start = (int) block + PACKET_DATA + Erf.LENGTH;
                int length = segment.get(INT, block + CAPTURED_LENGTH) - Erf.LENGTH - Vcrc.LENGTH;
                int body = length - Icrc.LENGTH;
                String where = file.getFileName() + ", packet " + packets;
                assertEquals(icrc.computeLocal(bytes, start, body), Icrc.read(segment, start + body), where);
                assertEquals(Vcrc.compute(segment, start, length), Vcrc.read(segment, start + length), where);
                packets++;
            }
        }
        return packets;
    }

    @Test
    void aPortHasOneCaptureAtATime() throws IOException {
        try (FabricCapture _ = fabric.capture(fabric.port("h1", 1), folder.resolve("a.pcapng"))) {
            assertThrows(FabricException.class, () -> fabric.capture(fabric.port("h1", 1), folder.resolve("b.pcapng")));
        }
        fabric.capture(fabric.port("h1", 1), folder.resolve("c.pcapng")).close();
    }
}
