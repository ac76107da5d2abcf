package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.manage.agent.ManagedNode;

/** The diagnostic tools of infiniband-diags over our fabric, while OpenSM manages it. */
final class DiagnosticsTest {
    private static final Pattern SWITCH_LID = Pattern.compile("port 0 lid (\\d+) lmc");
    private static final Pattern HOST_LID = Pattern.compile("(?m)^\\[\\d+\\]\\(.*# lid (\\d+) lmc");

    private static final int FIRST_PINGS_MAX = 30;

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    private record Check(String pattern, String command) {}

    private static List<Check> checks(String sw, String first, String last, String cabled) {
        return List.of(
                new Check("State: Active", "ibstat"),
                new Check("LID start", "ibaddr"),
                new Check("Active/ +LinkUp", "iblinkinfo"),
                new Check("^Ca", "ibhosts"),
                new Check("^Switch", "ibswitches"),
                new Check("NodeType.*Channel Adapter", "smpquery nodeinfo " + first),
                new Check("NodeType", "smpquery -D nodeinfo 0"),
                new Check("Node Description", "smpquery nodedesc " + first),
                new Check("LinkState.*Active", "smpquery portinfo " + first + " 1"),
                new Check("LinearFdbTop", "smpquery switchinfo " + sw),
                new Check("0x(7|f)fff", "smpquery pkeys " + first),
                new Check("SL:", "smpquery sl2vl " + first),
                new Check("WEIGHT", "smpquery vlarb " + first),
                new Check("0x[0-9a-f]{16}", "smpquery guidinfo " + first),
                new Check("PortXmitPkts", "perfquery " + first + " 1"),
                new Check("PortXmitPkts", "perfquery -x " + first + " 1"),
                new Check("PortSelect.*255", "perfquery -a " + sw),
                new Check("PortXmitPkts", "perfquery -r " + first + " 1"),
                new Check("valid lids dumped", "ibroute " + sw),
                new Check("mlids dumped", "ibroute -M " + sw),
                new Check("^To ", "ibtracert " + first + " " + last),
                new Check("lids dumped", "dump_lfts"),
                new Check("PeerPort|Peer PortInfo", "ibportstate " + sw + " " + cabled + " query"),
                new Check("SMINFO_MASTER", "sminfo"),
                new Check("nodes checked, 0 bad", "ibqueryerrors"),
                new Check("NodeRecord", "saquery -N"),
                new Check("PathRecord", "saquery PR --src-to-dst " + first + ":" + last),
                new Check("Class version", "saquery -c"),
                new Check("MCMemberRecord", "saquery -g"),
                new Check("LinkRecord", "saquery -x"),
                new Check("LFT Record", "saquery LFTR"));
    }

    private static List<Integer> lids(Pattern pattern, String text) {
        List<Integer> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(Integer.valueOf(matcher.group(1)));
        }
        return found.stream().sorted().toList();
    }

    /** The first port with a cable of a switch. */
    private static String cabledPort(ServedFabric fabric, int lid) {
        ManagedNode node = fabric.fabric().nodes().stream()
                .filter(found -> found.isSwitch() && found.port(0).lid() == lid)
                .findFirst()
                .orElseThrow();
        return IntStream.rangeClosed(1, node.portCount())
                .filter(port -> node.port(port).peer() != null)
                .mapToObj(String::valueOf)
                .findFirst()
                .orElseThrow();
    }

    private RunningTool manager(ServedFabric ours, Nets net, String name) throws IOException, InterruptedException {
        Seat seat = new Seat(ours.port(), net.host(), folder.resolve(name));
        RunningTool manager = seat.start("opensm", Map.of(), "opensm", "-d", "2", "-f", "osm.log");
        manager.awaitText(seat.folder().resolve("osm.log"), "SUBNET UP");
        return manager;
    }

    @ParameterizedTest
    @EnumSource(Nets.class)
    void everyToolAnswersAsOnARealFabric(Nets net) throws IOException, InterruptedException {
        try (ServedFabric ours = ServedFabric.of(net.file());
                RunningTool manager = manager(ours, net, "manager")) {
            Seat seat = new Seat(ours.port(), "", folder.resolve("diags"));
            String text = seat.run("ibnetdiscover", "ibnetdiscover")
                    .requires("^Ca")
                    .requires("^Switch")
                    .output();
            String sw = String.valueOf(lids(SWITCH_LID, text).getFirst());
            List<Integer> hosts = lids(HOST_LID, text);
            String cabled = cabledPort(ours, Integer.parseInt(sw));
            List<String> failures = new ArrayList<>();
            for (Check check : checks(sw, "" + hosts.getFirst(), "" + hosts.getLast(), cabled)) {
                try {
                    seat.run("tool", check.command().split(" ")).requires(check.pattern());
                } catch (AssertionError e) {
                    failures.add(e.getMessage());
                }
            }
            assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
            assertTrue(manager.isRunning());
        }
    }

    @Test
    void ibpingWorksWithAndWithoutTheBitOfAManager() throws IOException, InterruptedException {
        Nets net = Nets.TWO_SWITCH;
        try (ServedFabric ours = ServedFabric.of(net.file());
                RunningTool manager = manager(ours, net, "manager")) {
            for (String node : List.of("h4", "h5")) {
                Map<String, String> variables = node.equals("h5") ? Map.of("SIM_SET_ISSM", "1") : Map.of();
                Seat serving = new Seat(ours.port(), node, folder.resolve("ping-" + node));
                long clients = ours.counters().connected();
                try (RunningTool server = serving.start("server", variables, "ibping", "-S")) {
                    server.await("its connection", () -> ours.counters().connected() > clients);
                    String lid = "" + ours.fabric().node(node).port(1).lid();
                    Seat asking = new Seat(ours.port(), "h2", folder.resolve("asking-" + node));
                    awaitFirstAnswer(asking, lid);
                    asking.run("ibping", "ibping", "-c", "5", "-f", lid).requires("5 received, 0% packet loss");
                    asking.run("smpquery", "smpquery", "nodeinfo", lid).requires("NodeType");
                    assertTrue(server.isRunning());
                }
            }
            assertTrue(manager.isRunning());
        }
    }

    /** A server of ibping is connected some time before it answers; ibping waits a second for an answer. */
    private static void awaitFirstAnswer(Seat asking, String lid) throws IOException, InterruptedException {
        for (int tries = 1; tries < FIRST_PINGS_MAX; tries++) {
            if (asking.run("ibping", "ibping", "-c", "1", lid).output().contains("1 received")) {
                return;
            }
        }
        asking.run("ibping", "ibping", "-c", "1", lid).requires("1 received");
    }
}
