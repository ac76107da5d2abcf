package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.fabric.FabricOptions;
import org.verbena.manage.NodeKind;
import org.verbena.manage.agent.Conduct;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;

/** Hosts join a group at OpenSM: the multicast forwarding tables of our switches are those of ibsim's. */
final class MulticastTablesTest {
    private static final int GROUP = 0xc000;
    /** Directed datagrams with a multicast forwarding table, and their answers. */
    private static final String TABLES = "[<>] \\d+ 81 (02|81) 001b .*";

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    private RunningTool manager(int port, Nets net, String name) throws IOException, InterruptedException {
        Seat seat = new Seat(port, net.host(), folder.resolve(name));
        RunningTool manager = seat.start("opensm", Map.of(), "opensm", "-d", "2", "-f", "osm.log", "--maxsmps", "1");
        manager.awaitText(seat.folder().resolve("osm.log"), "SUBNET UP");
        return manager;
    }

    @Test
    void joinsHaveTheGoldenDatagrams() throws IOException, InterruptedException {
        Nets net = Nets.TWO_SWITCH;
        FabricOptions options = FabricOptions.DEFAULT.withConduct(Conduct.IBSIM);
        try (ServedFabric ours = ServedFabric.of(net.file(), options);
                MadRecorder recorder = new MadRecorder(ours.port());
                RunningTool manager = manager(recorder.port(), net, "manager")) {
            assertEquals(GROUP, GroupMember.join(recorder.port(), "h2"));
            assertEquals(GROUP, GroupMember.join(recorder.port(), "h4"));
            manager.await("a tree of two members", () -> tables(recorder).size() == 4);
            assertEquals(GROUP, GroupMember.join(recorder.port(), "h5"));
            manager.await("a tree of three members", () -> tables(recorder).size() == 8);
            List<String> golden = Files.readAllLines(Nets.datagrams("mads.mcast.txt")).stream()
                    .map(RecordedMadsTest::withoutNumberAndTransaction)
                    .filter(line -> line.matches(TABLES))
                    .toList();
            assertEquals(sorted(golden), sorted(tables(recorder)));
            assertEquals(List.of(2, 7), ports(ours.fabric().node("sw1")));
            assertEquals(List.of(1, 2, 7), ports(ours.fabric().node("sw2")));
        }
    }

    private static List<String> tables(MadRecorder recorder) {
        return recorder.lines().stream().filter(line -> line.matches(TABLES)).toList();
    }

    private static List<Integer> ports(ManagedNode node) {
        return IntStream.rangeClosed(0, node.portCount())
                .filter(port -> node.multicastTo(GROUP, port))
                .boxed()
                .toList();
    }

    private static String sorted(List<String> lines) {
        return lines.stream().sorted().collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @EnumSource(Nets.class)
    void theTreeOfAGroupIsThatOfIbsim(Nets net) throws IOException, InterruptedException {
        try (IbsimProcess theirs = IbsimProcess.start(net.file(), folder);
                ServedFabric ours = ServedFabric.of(net.file());
                RunningTool _ = manager(theirs.port(), net, "theirs");
                RunningTool manager = manager(ours.port(), net, "ours")) {
            List<ManagedNode> hosts = ours.fabric().nodes().stream()
                    .filter(node -> node.kind() == NodeKind.ADAPTER)
                    .toList();
            List<ManagedPort> members = new ArrayList<>();
            for (int i = 1; i < hosts.size(); i += 3) {
                String name = hosts.get(i).name();
                assertEquals(GROUP, GroupMember.join(theirs.port(), name));
                assertEquals(GROUP, GroupMember.join(ours.port(), name));
                members.add(Objects.requireNonNull(hosts.get(i).port(1).peer()));
            }
            manager.await(
                    "a tree to all members",
                    () -> members.stream().allMatch(port -> port.node().multicastTo(GROUP, port.number())));
            Seat one = new Seat(theirs.port(), net.host(), folder.resolve("their-tables"));
            Seat other = new Seat(ours.port(), net.host(), folder.resolve("our-tables"));
            manager.await("tables that are equal", () -> tables(one).equals(tables(other)));
        }
    }

    private static String tables(Seat seat) {
        try {
            return seat.run("dump_mfts", "dump_mfts").requires("mlids dumped").output();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
