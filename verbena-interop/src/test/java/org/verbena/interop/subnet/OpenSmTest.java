package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** OpenSM sweeps our fabric and ibsim's: identifiers, forwarding tables and dumps are the same. */
final class OpenSmTest {
    private static final List<String> ENGINES =
            List.of("minhop", "updn", "dnup", "ftree", "dor", "sssp", "lash", "dfsssp");

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    @ParameterizedTest
    @EnumSource(Nets.class)
    void openSmMakesTheSameOfOurFabricAsOfIbsims(Nets net) throws IOException, InterruptedException {
        try (IbsimProcess theirs = IbsimProcess.start(net.file(), folder);
                ServedFabric ours = ServedFabric.of(net.file())) {
            int used = 0;
            for (String engine : ENGINES) {
                String[] options = net.options(engine).toArray(String[]::new);
                Seat one = new Seat(theirs.port(), net.host(), folder.resolve("theirs-" + engine));
                Seat other = new Seat(ours.port(), net.host(), folder.resolve("ours-" + engine));
                Sweep expected = Sweep.run(one, engine, options);
                Sweep found = Sweep.run(other, engine, options);
                assertFalse(found.engine().isEmpty(), () -> engine + ": no SUBNET UP; " + found.errors());
                assertEquals(expected.engine(), found.engine(), engine);
                assertTrue(expected.files().values().stream().noneMatch(String::isEmpty), "dumps that are not there");
                expected.files()
                        .forEach(
                                (name, text) -> assertEquals(text, found.files().get(name), engine + " " + name));
                assertEquals(expected.errors().size(), found.errors().size(), () -> engine + " " + found.errors());
                used += expected.engine().equals(engine) ? 1 : 0;
            }
            assertTrue(used >= 4, "engines that accept the fabric: " + used);
            assertEquals(0, ours.counters().bounced(), () -> ours.counters().toString());
        }
    }

    @Test
    void noiseAtThePortsDoesNotDisturbASweep() throws IOException, InterruptedException {
        Nets net = Nets.MESH;
        AtomicBoolean stop = new AtomicBoolean();
        try (ServedFabric ours = ServedFabric.of(net.file())) {
            Thread noise = Thread.ofPlatform().start(() -> noise(ours.port(), stop));
            try {
                for (int i = 0; i < 5; i++) {
                    Sweep sweep = Sweep.run(new Seat(ours.port(), net.host(), folder.resolve("sweep" + i)), "minhop");
                    assertEquals("minhop", sweep.engine(), () -> sweep.errors().toString());
                    assertEquals(List.of(), sweep.errors());
                }
            } finally {
                stop.set(true);
                noise.join();
            }
            assertTrue(
                    ours.counters().refusedControls() > 100,
                    () -> ours.counters().toString());
            assertTrue(
                    ours.counters().refusedSources() > 100,
                    () -> ours.counters().toString());
        }
    }

    private static void noise(int port, AtomicBoolean stop) {
        Random random = new Random(5);
        try (DatagramChannel channel = DatagramChannel.open()) {
            while (!stop.get()) {
                byte[] bytes = new byte[random.nextInt(4) == 0 ? 288 : 1 + random.nextInt(600)];
                random.nextBytes(bytes);
                channel.send(
                        ByteBuffer.wrap(bytes),
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port + random.nextInt(11)));
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aPulledCableMakesOpenSmSweepAndTheTablesChange() throws IOException, InterruptedException {
        Nets net = Nets.TWO_SWITCH;
        try (ServedFabric ours = ServedFabric.of(net.file())) {
            Seat seat = new Seat(ours.port(), net.host(), folder.resolve("daemon"));
            Path log = seat.folder().resolve("osm.log");
            try (RunningTool manager =
                    seat.start("opensm", Map.of(), "opensm", "-d", "2", "-f", "osm.log", "-D", "0x43", "-s", "600")) {
                manager.awaitText(log, "SUBNET UP");
                var node = ours.fabric().node("sw1");
                int far = ours.fabric().node("h4").port(1).lid();
                int before = node.outputTo(far);
                assertTrue(before == 7 || before == 8, "by one of two cables: " + before);
                int sweeps = RunningTool.count(log, "SUBNET UP");
                ours.fabric().call(() -> ours.fabric().unplug(node.port(before)));
                manager.await("a new sweep", () -> RunningTool.count(log, "SUBNET UP") > sweeps);
                manager.await("the other cable", () -> node.outputTo(far) == 15 - before);
                int again = RunningTool.count(log, "SUBNET UP");
                ours.fabric()
                        .call(() -> ours.fabric()
                                .plug(
                                        node.port(before),
                                        ours.fabric().node("sw2").port(before)));
                manager.await("a sweep after the cable is back", () -> RunningTool.count(log, "SUBNET UP") > again);
            }
        }
    }

    @Test
    void aKilledManagerIsNoLongerOneAndTheNextTakesItsPlace() throws IOException, InterruptedException {
        Nets net = Nets.TWO_SWITCH;
        try (ServedFabric ours = ServedFabric.of(net.file())) {
            Seat first = new Seat(ours.port(), net.host(), folder.resolve("first"));
            try (RunningTool manager = first.start("opensm", Map.of(), "opensm", "-d", "2", "-f", "osm.log")) {
                manager.awaitText(first.folder().resolve("osm.log"), "SUBNET UP");
                manager.kill();
            }
            Seat second = new Seat(ours.port(), "h5", folder.resolve("second"));
            Sweep sweep = Sweep.run(second, "minhop");
            assertEquals("minhop", sweep.engine(), () -> sweep.errors().toString());
            Seat waiting = second.in("diags");
            assertEquals(1, ours.counters().vanished(), () -> ours.counters().toString());
            waiting.run("ibnetdiscover", "ibnetdiscover").requires("^Ca");
        }
    }
}
