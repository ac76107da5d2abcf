package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.NetFile;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.Conduct;
import org.verbena.manage.agent.MadOutcome;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.SubnetAgent;
import org.verbena.wire.subnet.GoldenMad;
import org.verbena.wire.subnet.Smp;

/** Registers made from a net file are those that ibsim makes from it. */
final class CommissioningTest {
    @Test
    void aNetFileOfIbsimIsAnsweredAsByIbsim() throws IOException {
        List<ManagedNode> nodes = nodes("two-switch", Conduct.IBSIM);
        ManagedPort manager = nodes.getFirst().port(1);
        SubnetAgent.manager(manager, true, 0);
        Map<Long, String> answers = new HashMap<>();
        List<GoldenMad> mads = GoldenMad.read("minhop");
        mads.stream()
                .filter(mad -> !mad.isRequest())
                .forEach(mad -> answers.put(mad.transaction(), hex(mad.segment())));
        int compared = 0;
        for (GoldenMad golden : mads) {
            if (golden.isRequest()) {
                MemorySegment mad = golden.segment();
                ManagedPort at = manager;
                for (int out : golden.path()) {
                    at = Objects.requireNonNull(at.node().port(out).peer(), golden::toString);
                }
                assertEquals(MadOutcome.ANSWERED, SubnetAgent.handle(at.node(), at.number(), mad, 0));
                assertEquals(answers.get(golden.transaction()), hex(mad), golden::toString);
                compared++;
            }
        }
        assertEquals(166, compared);
    }

    @Test
    void cablesComeUpAtTheSpeedsOfTheFile() throws IOException {
        for (String name : List.of("ring6", "fattree2-16", "mesh4x4")) {
            int ends = 0;
            for (ManagedNode node : nodes(name, Conduct.STANDARD)) {
                for (int number = 1; number <= node.portCount(); number++) {
                    ManagedPort port = node.port(number);
                    ends += port.peer() == null ? 0 : 1;
                    assertEquals(port.peer() == null ? PortState.DOWN : PortState.INIT, port.state());
                    assertEquals(port.peer() == null ? LinkSpeed.SDR : LinkSpeed.EDR, port.speed());
                    assertEquals(0, port.lid());
                }
            }
            assertEquals(Map.of("ring6", 36, "fattree2-16", 64, "mesh4x4", 80).get(name), ends);
        }
    }

    @Test
    void portsHaveTheIdentifiersOfTheFile() {
        String text = """
                Ca 2 "h" # "h"
                [1](100001) "s"[1] # lid 8 lmc 2 "s" lid 3 4xQDR

                Switch 2 "s" # "s" enhanced port 0 lid 3 lmc 0
                [1] "h"[1] # "h" lid 8 4xQDR
                """;
        List<ManagedNode> nodes =
                Commissioning.of(NetFile.parse("a.net", _ -> text).topology(), FabricOptions.DEFAULT);
        assertEquals(8, nodes.getFirst().port(1).lid());
        assertEquals(2, nodes.getFirst().port(1).lmc());
        assertEquals(0, nodes.getFirst().port(2).lid());
        assertEquals(3, nodes.getLast().port(0).lid());
        assertEquals(PortState.INIT, nodes.getFirst().port(1).state());
    }

    private static List<ManagedNode> nodes(String name, Conduct conduct) throws IOException {
        String path = "/subnets/" + name + "/" + name + ".net";
        try (InputStream in = Objects.requireNonNull(CommissioningTest.class.getResourceAsStream(path))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Commissioning.of(
                    NetFile.parse(name, _ -> text).topology(), FabricOptions.DEFAULT.withConduct(conduct));
        }
    }

    private static String hex(MemorySegment mad) {
        return HexFormat.of()
                .formatHex(mad.asSlice(0, Smp.DATA + Smp.DATA_LENGTH).toArray(ValueLayout.JAVA_BYTE));
    }
}
