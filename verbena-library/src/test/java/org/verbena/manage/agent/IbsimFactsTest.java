package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.manage.NodeKind;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.CounterBlock;
import org.verbena.wire.subnet.Smp;

/**
 * Answers of ibsim 0.10 that the golden datagrams do not have: an adapter h1 of two ports with a cable of 4x EDR at port 1 of a switch of
 * eight ports, at whose port 2 a cable of 4x FDR10 is.
 */
final class IbsimFactsTest {
    private static final LinkRates EDR = new LinkRates(0x1f, 3, 7, 7, 7, 3, true);
    private static final LinkRates FDR10 = new LinkRates(0x1f, 3, 7, 7, 0, 0, true);

    private final ManagedNode host = new ManagedNode(NodeProfile.of(NodeKind.ADAPTER, "h1", 0x2c90300000010L, 2)
            .withMaker(0x2c9, 0x1003, 0x2c90300000010L)
            .withConduct(Conduct.IBSIM));
    private final ManagedNode other = new ManagedNode(
            NodeProfile.of(NodeKind.ADAPTER, "h2", 0x2c90300000020L, 1).withConduct(Conduct.IBSIM));
    private final ManagedNode sw1 = new ManagedNode(NodeProfile.of(NodeKind.SWITCH, "sw1", 0x2c90200000100L, 8)
            .withMaker(0x2c9, 0xc738, 0x2c90200000100L)
            .withConduct(Conduct.IBSIM));

    IbsimFactsTest() {
        plug(host.port(1), sw1.port(1), EDR);
        plug(other.port(1), sw1.port(2), FDR10);
    }

    private static void plug(ManagedPort one, ManagedPort other, LinkRates rates) {
        one.rates(rates);
        other.rates(rates);
        Cabling.plug(one, other, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0015, 1, 0, 00000000000000000000000000000000000000000050c04800000ff901031f0272520047404000080804e040000000000000201f000000000000000000302703",
        "0015, 2, 0, 00000000000000000000000000000000000000000010c04800000ff901021f0271220011404000080804e040000000000000201f000000000000000000300000",
        "0015, 3, 1c, ''",
        "0012, 0, c, ''",
        "0014, 0, 0, 0002c90300000011",
        "0014, 1, 0, ''",
        "0014, 9, 0, ''",
        "0017, 0, 0, 0123456789abcde7",
        "0016, 2, 1c, ''",
    })
    void theAdapterAnswersAsIbsimDoes(String attribute, String modifier, String status, String data) {
        assertAnswer(new Asker(host, 1), attribute, modifier, status, data);
    }

    @ParameterizedTest
    @CsvSource({
        "0015, 0, 0, 00000000000000000000000000000000000000000000c04800000ff901021f02745200111040000808030040000000000000011f080000000000000000300000",
        "0015, 1, 0, 0000000000000000000000000000000000000000000000000000000001031f0272520047404000080804e0400000000000000000000000000000000000002703",
        "0015, 2, 0, 0000000000000000000000000000000000000000000000000000000001031f0272520047404000080804e0400000000000000000000000000000000000000000",
        "0015, 3, 0, 0000000000000000000000000000000000000000000000000000000001021f0271220011404000080804e0400000000000000000004000000000000000000000",
        "ff90, 1, 0, ''",
        "ff90, 2, 0, 00000000000000010000000100000001",
        "ff90, 3, 0, ''",
        "0012, 0, 0, 7800000004000000000000040000004030",
        "0017, 102, 0, 0123456789abcde7",
        "0018, 10001, 0, 00000104020403040404050406040704",
        "0018, 20001, 1c, ''",
        "0018, 30001, 0, 00040100020003000400050006000700",
        "0018, 40001, 1c, ''",
        "0018, 1, 1c, ''",
        "0018, 50001, 1c, ''",
        "0019, 300, 1c, ''",
        "0016, 10002, 1c, ''",
    })
    void theSwitchAnswersAsIbsimDoes(String attribute, String modifier, String status, String data) {
        assertAnswer(new Asker(sw1, 1), attribute, modifier, status, data);
    }

    @Test
    void attributesOfProgramsAreNotTheAgents() {
        Asker asker = new Asker(host, 1);
        asker.get(0x20, 0);
        assertEquals(MadOutcome.NOT_MINE, asker.outcome);
    }

    @Test
    void theClassOfPerformanceManagementSaysWhatIbsimSays() {
        assertEquals("0101120000000012", classPortInfo(host, 1));
        assertEquals("0101130000000012", classPortInfo(sw1, 1));
    }

    private static String classPortInfo(ManagedNode node, int arrival) {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        Smp.request(mad, 0, CounterBlock.CLASS, Smp.METHOD_GET, 1, 1, 0);
        assertEquals(MadOutcome.ANSWERED, PerformanceAgent.handle(node, arrival, mad));
        return "%016x".formatted(org.verbena.wire.BigEndian.readLong(mad, CounterBlock.DATA));
    }

    private static void assertAnswer(Asker asker, String attribute, String modifier, String status, String data) {
        assertEquals(
                Integer.parseInt(status, 16),
                asker.get(Integer.parseInt(attribute, 16), Integer.parseInt(modifier, 16)));
        assertEquals(data + "0".repeat(2 * Smp.DATA_LENGTH - data.length()), asker.data());
        assertEquals(2 * Smp.DATA_LENGTH, HexFormat.of().parseHex(asker.data()).length * 2);
    }
}
