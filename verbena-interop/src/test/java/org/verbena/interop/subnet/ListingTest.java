package org.verbena.interop.subnet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.fabric.FabricOptions;
import org.verbena.interop.peer.Verbena;
import org.verbena.manage.agent.Conduct;

/** Saved output of ibnetdiscover is a net file, with the identifiers that a manager gave; {@code verbena fabric} lists it as iblinkinfo does. */
final class ListingTest {
    private static final FabricOptions LIKE_IBSIM = FabricOptions.DEFAULT.withConduct(Conduct.IBSIM);

    @TempDir
    private Path folder = Path.of("");

    @BeforeAll
    static void requireTools() {
        SubnetTools.requireInstalled();
    }

    @Test
    void aSavedFabricHasTheIdentifiersOfTheFirstOne() throws IOException, InterruptedException {
        Path saved = folder.resolve("saved.net");
        Files.writeString(saved, discovered(Nets.FAT_TREE));
        String node = nodeOf(saved, Nets.FAT_TREE.host());
        try (IbsimProcess theirs = IbsimProcess.start(saved, folder);
                ServedFabric ours = ServedFabric.of(saved, LIKE_IBSIM)) {
            Seat one = new Seat(theirs.port(), node, folder.resolve("theirs"));
            Seat other = new Seat(ours.port(), node, folder.resolve("ours"));
            String expected =
                    one.run("iblinkinfo", "iblinkinfo").requires("Initialize/").output();
            assertTrue(expected.contains("     22    1[  ]"), expected);
            assertEquals(
                    expected,
                    other.run("iblinkinfo", "iblinkinfo")
                            .requires("Initialize/")
                            .output());
            assertEquals(ports(expected), ports(listed(saved.toString())));
            Sweep first = Sweep.run(one, "minhop");
            Sweep second = Sweep.run(other, "minhop");
            assertEquals("minhop", second.engine(), () -> second.errors().toString());
            assertEquals(first.files(), second.files());
        }
    }

    @Test
    void theOwnManagerLeavesWhatOpenSmLeaves() throws IOException, InterruptedException {
        Nets net = Nets.TWO_SWITCH;
        try (ServedFabric ours = ServedFabric.of(net.file())) {
            Seat seat = new Seat(ours.port(), net.host(), folder.resolve("ours"));
            Sweep.run(seat, "minhop");
            String expected =
                    seat.run("iblinkinfo", "iblinkinfo").requires("Active/").output();
            String listing = listed(net.file() + " --manage");
            assertEquals(ports(expected), ports(listing));
        }
    }

    private String discovered(Nets net) throws IOException, InterruptedException {
        try (ServedFabric first = ServedFabric.of(net.file(), LIKE_IBSIM)) {
            Seat seat = new Seat(first.port(), net.host(), folder.resolve("first"));
            Sweep sweep = Sweep.run(seat, "minhop");
            assertEquals("minhop", sweep.engine(), () -> sweep.errors().toString());
            return seat.run("ibnetdiscover", "ibnetdiscover").requires("^Ca").output();
        }
    }

    /** ibnetdiscover names nodes by GUID. */
    private static String nodeOf(Path net, String description) throws IOException {
        return Files.readAllLines(net).stream()
                .filter(line -> line.startsWith("Ca") && line.contains("# \"" + description + "\""))
                .map(line -> line.split("\"", -1)[1])
                .findFirst()
                .orElseThrow();
    }

    private static String listed(String arguments) {
        try (Verbena command = Verbena.start("fabric " + arguments)) {
            return command.end().succeeds().output();
        }
    }

    /** Lines of nodes and ports without the remarks behind them. The order of the nodes is each program's own. */
    private static List<String> ports(String listing) {
        return listing.lines()
                .filter(line -> !line.startsWith("##"))
                .map(line -> line.replaceAll(" # .*| \\(( |Could be .*)\\)$", ""))
                .sorted()
                .collect(Collectors.toList());
    }
}
