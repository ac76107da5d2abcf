package org.verbena.fabric.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;

final class NetFileTest {
    private static final String PAIR = "Ca 1 \"a\"\n[1] \"sw\"[1]%s\n\nSwitch 2 \"sw\"\n[1] \"a\"[1]%s\n";

    private static TopologyNode first(String text) {
        return GoldenNet.parse(text).nodes().getFirst();
    }

    /** The rates of the first port when both port lines end like this. */
    private static PortRates rates(String rest) {
        return first(PAIR.replace("%s", rest)).ratesOf(1);
    }

    @Test
    void aGoldenFileIsRead() {
        Topology net = GoldenNet.topology("two-switch");
        assertEquals(8, net.nodes().size());
        assertEquals(8, net.cables().size());
        PortRates qdr = PortRates.of(LinkWidth.X4, LinkSpeed.QDR);
        assertEquals(
                new TopologyNode(
                        NodeKind.ADAPTER,
                        "h1",
                        1,
                        0x2c90300000010L,
                        0x2c90300000010L,
                        0x2c9,
                        0x1003,
                        "h1",
                        false,
                        "",
                        Map.of(),
                        Map.of(1, qdr),
                        Map.of()),
                net.node("h1"));
        TopologyNode sw2 = net.node("sw2");
        assertEquals(NodeKind.SWITCH, sw2.kind());
        assertEquals(8, sw2.ports());
        assertEquals(0x2c90200000200L, sw2.guid());
        assertTrue(sw2.enhancedPort0());
        assertEquals(Map.of(1, qdr, 2, qdr, 3, qdr, 7, qdr, 8, qdr), sw2.rates());
        assertEquals(new Cable(0, 1, 6, 1, Cable.USUAL_CM), net.cables().getFirst());
        assertEquals(new Cable(6, 8, 7, 8, Cable.USUAL_CM), net.cables().getLast());
    }

    @Test
    void savedOutputOfIbnetdiscoverIsTheSameFabricInAnotherOrder() {
        for (String name : GoldenNet.NAMES) {
            Topology net = GoldenNet.topology(name);
            Topology found = GoldenNet.parse(GoldenNet.discovered(name));
            assertEquals(net.nodes().size(), found.nodes().size(), name);
            assertEquals(net.cables().size(), found.cables().size(), name);
            for (TopologyNode node : found.nodes()) {
                TopologyNode same = net.node(node.description());
                assertEquals(same.guid(), node.guid());
                assertEquals(same.rates(), node.rates());
                assertEquals(same.enhancedPort0(), node.enhancedPort0());
                for (int port = 1; port <= node.ports(); port++) {
                    assertEquals(remote(net, same.name(), port), remote(found, node.name(), port));
                }
            }
        }
    }

    private static String remote(Topology net, String name, int port) {
        return net.cableAt(net.indexOf(name), port)
                .map(cable -> net.nodes().get(cable.otherNode()).description() + cable.otherPort())
                .orElse("");
    }

    @Test
    void localIdentifiersOfIbnetdiscoverAreKept() {
        Topology found = GoldenNet.parse(GoldenNet.discovered("two-switch"));
        assertEquals(new PortLids(3, 0), found.node("S-0002c90200000200").lidsOf(0));
        assertEquals(new PortLids(8, 0), found.node("H-0002c90300000060").lidsOf(1));
        assertEquals(Map.of(), GoldenNet.topology("two-switch").node("h1").lids());
        TopologyNode node = first("""
                Ca 1 "a"
                [1] "sw"[1] # lid 9 lmc 2 "sw" lid 4 4xEDR

                Switch 2 "sw" # "sw" base port 0 lid 0x4 lmc 1
                [1] "a"[1]
                """);
        assertEquals(new PortLids(9, 2), node.lidsOf(1));
    }

    @Test
    void guidsStartAndCountAsInIbsim() {
        Topology net = GoldenNet.parse(
                "Ca 2 \"a\"\n\nHca 1 \"b\"\n\nSwitch 8 \"s\"\n\nSwitch 8 \"t\"\n\nRt 2 \"r\"\n\nRt 2 \"q\"\n");
        assertEquals(0x100000, net.node("a").guid());
        assertEquals(0x100003, net.node("b").guid());
        assertEquals(0x200000, net.node("s").guid());
        assertEquals(0x200001, net.node("t").guid());
        assertEquals(0x300000, net.node("r").guid());
        assertEquals(0x300003, net.node("q").guid());
        assertEquals(NodeKind.ROUTER, net.node("q").kind());
        assertEquals(0x100003, net.node("b").systemImageGuid());
    }

    @Test
    void aGuidLineHoldsForTheNextNodesOfItsKind() {
        Topology net = GoldenNet.parse("""
                caguid=0x10
                switchguid=0x20(20)
                hcaguids=256
                Ca 2 "a"

                Ca 2 "b"

                caguid+0x50
                Ca 2 "c"

                Switch 2 "s"
                """);
        assertEquals(0x100, net.node("a").guid());
        assertEquals(0x103, net.node("b").guid());
        assertEquals(0x150, net.node("c").guid());
        assertEquals(0x20, net.node("s").guid());
    }

    @Test
    void vendorAndSystemImageAreOfOneNodeAndTheDeviceOfAll() {
        Topology net = GoldenNet.parse("vendid=0x2c9\ndevid=0x1003\nsysimgguid=0x77\nCa 1 \"a\"\n\nCa 1 \"b\"\n");
        assertEquals(0x2c9, net.node("a").vendorId());
        assertEquals(0x77, net.node("a").systemImageGuid());
        assertEquals(0x1003, net.node("a").deviceId());
        assertEquals(0, net.node("b").vendorId());
        assertEquals(0x1003, net.node("b").deviceId());
        assertEquals(net.node("b").guid(), net.node("b").systemImageGuid());
    }

    @Test
    void theDescriptionStandsBehindTheHash() {
        assertEquals("host 7", first("Ca 1 \"a\" # \"host 7\"\n").description());
        assertEquals("host 7", first("Ca 1 \"a\" # host 7\n").description());
        assertEquals("a", first("Ca 1 \"a\"\n").description());
        assertEquals("a", first("Ca 1 \"a\" # \"\"\n").description());
        TopologyNode base = first("Switch 8 \"s\" # Spine 4 base port 0 lid 7 lmc 0\n");
        assertEquals("Spine 4", base.description());
        assertFalse(base.enhancedPort0());
        assertEquals(7, base.lidsOf(0).lid());
        TopologyNode enhanced = first("Switch 8 \"s\" # \"Spine enhanced port 0\" enhanced port 0 lid 7 lmc 0\n");
        assertEquals("Spine enhanced port 0", enhanced.description());
        assertTrue(enhanced.enhancedPort0());
        assertFalse(first("Switch 8 \"s\" # \"enhanced port 0\"\n").enhancedPort0());
    }

    @Test
    void aPortGuidThatDiffersIsKept() {
        TopologyNode node = first("caguid=0x10\nCa 2 \"a\"\n[1](10) \"sw\"[1]\n\nSwitch 2 \"sw\"\n[1] \"a\"[1](10)\n");
        assertEquals(0x10, node.portGuid(1));
        assertEquals(0x12, node.portGuid(2));
    }

    @Test
    void ratesAreGivenByTextOrByLetters() {
        assertEquals(PortRates.DEFAULT, rates(""));
        assertEquals(PortRates.of(LinkWidth.X4, LinkSpeed.EDR), rates(" # \"x\" lid 0 4xEDR"));
        assertEquals(PortRates.of(LinkWidth.X12, LinkSpeed.FDR10), rates(" # lid 0 12xFDR10"));
        assertEquals(PortRates.enabled(8, 1, 0, false), rates(" w=8"));
        assertEquals(PortRates.enabled(3, 7, 3, false), rates(" w=3 s=7 e=3"));
        assertEquals(PortRates.enabled(2, 4, 0, false), rates(" s=0"));
        assertEquals(PortRates.enabled(3, 7, 2, false), rates(" w=1 s=1 e=2 # \"x\" lid 0 4xQDR"));
        assertEquals(PortRates.enabled(3, 7, 0, true), rates(" w=3 s=7 f=1"));
        // The options of ibnetdiscover --full, and text between quotation marks.
        assertEquals(PortRates.enabled(4, 7, 0, false), rates(" # \"w=1 lid 0 1xSDR\" w=4 s=7 v=4"));
        assertEquals(PortRates.DEFAULT, rates(" # \"x\" lid 0"));
    }

    @Test
    void ratesOfAllPortsAreGivenBeforeANode() {
        String text = """
                width=8
                speed=3
                extspeed=1
                Switch 3 "s"
                [1] "t"[1] # lid 0 4xSDR

                width=3
                Switch 3 "t"
                [1] "s"[1]
                """;
        Topology net = GoldenNet.parse(text);
        assertEquals(PortRates.enabled(8, 3, 1, false), net.node("s").ratesOf(3));
        assertEquals(PortRates.enabled(8, 3, 1, false), net.node("s").ratesOf(0));
        assertEquals(PortRates.enabled(3, 1, 1, false), net.node("s").ratesOf(1));
        assertEquals(PortRates.enabled(3, 3, 1, false), net.node("t").ratesOf(1));
    }

    @Test
    void aCableHasALength() {
        assertEquals(
                Cable.USUAL_CM,
                GoldenNet.parse(PAIR.replace("%s", "")).cables().getFirst().lengthCm());
        assertEquals(
                1250,
                GoldenNet.parse(PAIR.replace("%s", " l=1250"))
                        .cables()
                        .getFirst()
                        .lengthCm());
        String oneSide = PAIR.replaceFirst("%s", " l=70").replace("%s", "");
        assertEquals(70, GoldenNet.parse(oneSide).cables().getFirst().lengthCm());
        String otherSide = PAIR.replaceFirst("%s", "").replace("%s", " l=80");
        assertEquals(80, GoldenNet.parse(otherSide).cables().getFirst().lengthCm());
    }

    @Test
    void theOtherPortIsOneIfTheLineHasNone() {
        Topology net = GoldenNet.parse("Ca 1 \"a\"\n[1] \"b\"\n\nCa 1 \"b\"\n[1] \"a\"\n");
        assertEquals(List.of(new Cable(0, 1, 1, 1, Cable.USUAL_CM)), net.cables());
    }

    @Test
    void commentsAndOtherTextAreLeftAlone() {
        Topology net = GoldenNet.parse(
                "DR path slid 0; dlid 0; 0 -> new remote\nChassis 1 (guid 0x2c9)\n" + "# " + "c".repeat(300)
                        + "\n\nCa 1 \"a\"\n# within the record\n[1][ext 3] \"b\"[1]\r\n\npdebug=1\nCa 1 \"b\"\n[1] \"a\"[1]\n");
        assertEquals(1, net.cables().size());
    }

    @Test
    void aRecordNeedsNoEmptyLineBehindIt() {
        Topology net = GoldenNet.parse("Ca 2 \"a\"\n[1] \"b\"[1]\nCa 1 \"b\"\n[1] \"a\"[1]");
        assertEquals(1, net.cables().size());
    }

    @Test
    void modulesAndIncludesJoinSeveralFiles() {
        Map<String, String> files = Map.of(
                "main", "module=\"east\"\ninclude \"part\"\nmodule=\"west\"\ninclude \"part\"\ndo Dump \"h\"\n",
                "part", "Switch 4 \"sw\"\n[1] \"h\"[1]\n@[4] \"up\"\n\nCa 1 \"h\"\n[1] \"sw\"[1]\n\ndo Link \"h\"\n");
        NetFile file = NetFile.parse("main", name -> String.valueOf(files.get(name)));
        Topology net = file.topology();
        assertEquals(
                List.of("east#sw", "east#h", "west#sw", "west#h"),
                net.nodes().stream().map(TopologyNode::name).toList());
        assertEquals(List.of(new Cable(0, 1, 1, 1, 500), new Cable(2, 1, 3, 1, 500)), net.cables());
        assertEquals(
                List.of(
                        new NetFile.Command("Link \"h\"", "part", 8),
                        new NetFile.Command("Link \"h\"", "part", 8),
                        new NetFile.Command("Dump \"h\"", "main", 5)),
                file.commands());
    }

    @Test
    void aPortIsReachedByItsAlias() {
        Topology net = GoldenNet.parse("""
                module="m"
                Switch 4 "sw"
                @[3] "up"

                module=""
                Ca 2 "h"
                [2] "m@up" w=2
                """);
        assertEquals(List.of(new Cable(0, 3, 1, 2, 500)), net.cables());
    }

    @Test
    void filesAreReadFromTheFolderOfTheFirst(@TempDir Path folder) throws IOException {
        Path main = folder.resolve("main.net");
        Files.writeString(main, "include \"part.net\"\nCa 1 \"b\" # \"Z\u00fcrich\"\n[1] \"a\"[1]\n");
        Files.writeString(folder.resolve("part.net"), "Ca 1 \"a\"\n[1] \"b\"[1]\n\n");
        NetFile file = NetFile.read(main);
        assertEquals(1, file.topology().cables().size());
        assertEquals("Z\u00fcrich", file.topology().node("b").description());
        TopologyException e = assertThrows(TopologyException.class, () -> NetFile.read(folder.resolve("none.net")));
        assertTrue(String.valueOf(e.getMessage()).contains("none.net"), e::getMessage);
        assertThrows(TopologyException.class, () -> NetFile.read(folder));
    }

    @Test
    void theExampleOfThePageIsReadAndWritten() throws IOException {
        Path page = Path.of("..", "docs", "reference", "net-files.md");
        assumeTrue(Files.exists(page), "no docs beside the module: not in a checkout");
        String example = Files.readString(page).split("```\n", 3)[1];
        Topology net = GoldenNet.parse(example);
        assertEquals(List.of(new Cable(0, 1, 1, 1, Cable.USUAL_CM)), net.cables());
        assertEquals(example, NetFile.write(net).strip() + "\n");
    }
}
