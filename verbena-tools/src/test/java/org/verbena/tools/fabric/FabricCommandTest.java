package org.verbena.tools.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.tools.CommandRun;

final class FabricCommandTest {
    @TempDir
    private Path folder;

    private String net(String text) throws IOException {
        return Files.writeString(folder.resolve("a.net"), text).toString();
    }

    @Test
    void portsAreListedInTheColumnsOfIblinkinfo() throws IOException {
        CommandRun run = CommandRun.of("fabric", net("""
                caguid=0x2c90300000010
                Ca\t2 "H-1"\t\t# "h1"
                [1](2c90300000011)\t"S-1"[2]\t\t# lid 7 lmc 0 "sw1" lid 4 4xQDR

                switchguid=0x2c90200000100
                Switch\t2 "S-1"\t\t# "sw1" enhanced port 0 lid 4 lmc 0
                [2]\t"H-1"[1]\t\t# "h1" lid 7 4xQDR

                rtguid=0x30
                Rt\t1 "r"
                """));
        assertEquals("", run.err());
        assertEquals(0, run.exitCode());
        assertEquals("""
                CA: h1:
                      0x0002c90300000011      7    1[  ] ==( 4X          10.0 Gbps Initialize/  LinkUp)==>       4    2[  ] "sw1" # sent 0 received 0
                      0x0002c90300000012      0    2[  ] ==(                Down/ Polling)==>             [  ] "" # sent 0 received 0
                Switch: 0x0002c90200000100 sw1:
                           4    1[  ] ==(                Down/ Polling)==>             [  ] "" # sent 0 received 0
                           4    2[  ] ==( 4X          10.0 Gbps Initialize/  LinkUp)==>       7    1[  ] "h1" # sent 0 received 0
                Rt: r:
                      0x0000000000000031      0    1[  ] ==(                Down/ Polling)==>             [  ] "" # sent 0 received 0
                ## 1 adapters, 1 switches, 1 routers, 1 cables
                """, run.out());
    }

    @Test
    void aManagedFabricIsListedWithIdentifiersStatesAndPackets() throws IOException {
        CommandRun generated = CommandRun.of("fabric", "--generate", "two-switches:2,1");
        CommandRun run = CommandRun.of("fabric", net(generated.out()), "--manage");
        assertEquals(0, run.exitCode(), run::err);
        List<String> cabled = cabled(run.out());
        assertEquals(10, cabled.size(), run::out);
        for (String line : cabled) {
            assertTrue(line.matches(".* Active/  LinkUp\\)==> .*\" # sent [1-9][0-9]* received [1-9][0-9]*"), line);
        }
        assertTrue(run.out().contains("    1    1[  ] ==( 4X"), run::out);
    }

    private static List<String> cabled(String listing) {
        return listing.lines()
                .filter(line -> line.contains("==>") && !line.contains("[  ] \"\""))
                .toList();
    }

    @Test
    void aManagerKeepsTheIdentifiersOfTheFileAndActivatesAllSubnets() throws IOException {
        CommandRun run = CommandRun.of("fabric", net("""
                Ca 1 "a"
                [1] "s"[1] # lid 9 lmc 0 "s" lid 5 4xSDR

                Switch 2 "s" # "s" base port 0 lid 5 lmc 0
                [1] "a"[1]
                [2] "r"[1]

                Rt 2 "r"
                [1] "s"[2]
                [2] "b"[1]

                Ca 1 "b"
                [1] "r"[2]
                """), "--manage");
        assertEquals(0, run.exitCode(), run::err);
        List<String> cabled = cabled(run.out());
        assertEquals(6, cabled.size(), run::out);
        assertTrue(cabled.stream().allMatch(line -> line.contains(" Active/  LinkUp)==> ")), run::out);
        assertTrue(
                cabled.getFirst().contains("      9    1[  ]")
                        && cabled.getFirst().contains("==>       5    1[  ] \"s\""),
                run::out);
    }

    @Test
    void commandsOfTheFileAreFollowedBeforeThePortsAreListed() throws IOException {
        CommandRun run = CommandRun.of(
                "fabric", net("Ca 1 \"a\"\n[1] \"b\"[1]\n\nCa 1 \"b\"\n[1] \"a\"[1]\n\ndo frob\ndo Unlink \"a\"\n"));
        assertEquals(0, run.exitCode());
        assertTrue(run.err().endsWith("a.net:7: frob: unknown word, try help\nunplugged a[1] and b[1]\n"), run::err);
        assertEquals(List.of(), cabled(run.out()));
        assertTrue(run.out().endsWith("0 cables\n"), run::out);
    }

    @Test
    void aGeneratedNetFileIsListedAndDrawn() throws IOException {
        CommandRun generated = CommandRun.of("fabric", "--generate", "fat-tree:4");
        assertEquals(0, generated.exitCode(), generated::err);
        Path drawing = folder.resolve("tree.svg");
        CommandRun listed = CommandRun.of("fabric", net(generated.out()), "--draw", drawing.toString());
        assertEquals(0, listed.exitCode(), listed::err);
        assertTrue(listed.out().endsWith("## 16 adapters, 20 switches, 0 routers, 48 cables\n"), listed::out);
        assertTrue(Files.readString(drawing).contains(">p3-leaf1</text>"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "example;         10;  3;  1;  17",
                "two-switches:3,2; 6;   2;  0;  8",
                "ring:6,2;        12;  6;  0;  18",
                "mesh:4x4,1;      16;  16; 0;  40",
                "torus:3x4x5,1;   60;  60; 0;  240",
                "fat-tree2:4,2,4,2; 16; 6; 0;  32",
                "fat-tree:8,4;    64;  40; 0;  192",
                "dragonfly:9,4,2,2; 72; 36; 0; 162",
                "irregular:1,30,12,100,40; 100; 30; 0; 169",
            })
    void everyShapeIsGenerated(String shape, int adapters, int switches, int routers, int cables) throws IOException {
        CommandRun generated = CommandRun.of("fabric", "--generate", shape);
        assertEquals(0, generated.exitCode(), generated::err);
        CommandRun listed = CommandRun.of("fabric", net(generated.out()));
        assertEquals(
                "## " + adapters + " adapters, " + switches + " switches, " + routers + " routers, " + cables
                        + " cables",
                listed.out().lines().toList().getLast());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tree",
                "ring",
                "ring:6",
                "ring:6,2,3",
                "ring:a,b",
                "ring:1,1",
                "mesh:4,4,4",
                "mesh:4x4",
                "fat-tree:7",
                "fat-tree:4,4,4",
                "example:3",
                "ring:99999999999,1"
            })
    void aShapeThatIsNotPossibleIsMisuse(String shape) {
        CommandRun run = CommandRun.of("fabric", "--generate", shape);
        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("verbena: shape '" + shape + "'"), run::err);
        assertEquals("", run.out());
    }

    @Test
    void aFileOrAShapeIsExpected() throws IOException {
        for (List<String> arguments :
                List.of(List.of("fabric"), List.of("fabric", net("Ca 1 \"a\"\n"), "--generate", "ring:6,2"))) {
            CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
            assertEquals(2, run.exitCode());
            assertTrue(run.err().contains("expected NETFILE or --generate"), run::err);
        }
    }

    @Test
    void aFaultInTheFileIsOneSentenceWithItsLine() throws IOException {
        String file = net("Ca 1 \"a\"\n[1] \"b\"[1]\n");
        CommandRun run = CommandRun.of("fabric", file);
        assertEquals(1, run.exitCode());
        assertEquals(1, run.err().lines().count(), run::err);
        assertTrue(run.err().startsWith("verbena: " + file + ":2: cable from \"a\"[1] to \"b\" found"), run::err);
        CommandRun missing = CommandRun.of("fabric", folder.resolve("none").toString());
        assertEquals(1, missing.exitCode());
        assertEquals(1, missing.err().lines().count(), missing::err);
    }
}
