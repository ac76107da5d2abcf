package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.Smp;

/** Traps are repeated until the subnet manager represses them. */
final class TrapSenderTest {
    private static final long SECOND_NS = 1_000_000_000L;
    /** 4.096 µs × 2^18. */
    private static final long INTERVAL_NS = 4096L << 18;

    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final TrapSender sender = new TrapSender();
    private final List<byte[]> sent = new ArrayList<>();

    @BeforeEach
    void configure() {
        NodeHardware ear = new NodeHardware() {
            @Override
            public void onPortState(ManagedPort port) {}

            @Override
            public void onPortSettings(ManagedPort port) {}

            @Override
            public void onTrap(ManagedPort from, byte[] notice) {
                sent.add(notice);
            }
        };
        for (ManagedNode node : net.nodes) {
            node.hardware(ear);
            node.traps(sender);
        }
        identify(net.sw1.port(0), 3);
        identify(net.host(4).port(1), 6);
    }

    private static void identify(ManagedPort port, int lid) {
        port.lid = lid;
        port.managerLid = 1;
        port.subnetTimeout = 18;
    }

    @Test
    void aLinkStateChangeIsToldInTheBytesThatIbsimSends() {
        Cabling.unplug(net.sw1.port(1), 0);
        assertEquals(
                "81000002008000030000" + "0003" + "00".repeat(52),
                HexFormat.of().formatHex(sent.getFirst()));
    }

    @Test
    void aNewManagerIsToldInTheBytesThatIbsimSends() {
        net.host(4).port(1).capabilityMask = 0x0050c048;
        SubnetAgent.manager(net.host(4).port(1), true, 0);
        assertEquals(
                "84000001009000060000" + "0000" + "0006" + "0000" + "0050c04a" + "00".repeat(44),
                HexFormat.of().formatHex(sent.getFirst()));
        SubnetAgent.manager(net.host(4).port(1), true, 0);
        assertEquals(1, sent.size(), "no change, no trap");
        assertTrue(net.host(4).port(1).hasManager());
    }

    @Test
    void aTrapIsRepeatedAtTheSubnetsIntervalUntilItIsRepressed() {
        Cabling.unplug(net.sw1.port(1), SECOND_NS);
        assertEquals(1, sent.size());
        assertEquals(SECOND_NS + INTERVAL_NS, sender.nextDeadlineNs());
        sender.poll(SECOND_NS + INTERVAL_NS - 1);
        assertEquals(1, sent.size());
        sender.poll(SECOND_NS + INTERVAL_NS);
        assertEquals(2, sent.size());
        assertEquals(SECOND_NS + 2 * INTERVAL_NS, sender.nextDeadlineNs());
        repress(sent.getFirst());
        assertEquals(0, sender.pending());
        assertEquals(Long.MAX_VALUE, sender.nextDeadlineNs());
        sender.poll(Long.MAX_VALUE);
        assertEquals(2, sent.size());
    }

    @Test
    void aRepressOfAnotherNoticeEndsNothing() {
        Cabling.unplug(net.sw1.port(1), 0);
        byte[] other = sent.getFirst().clone();
        other[Notice.LENGTH - 1] = 1;
        repress(other);
        assertEquals(1, sender.pending());
        byte[] otherCount = sent.getFirst().clone();
        Notice.COUNT.write(MemorySegment.ofArray(otherCount), 0, 77);
        repress(otherCount);
        assertEquals(0, sender.pending());
    }

    @Test
    void aTrapThatIsNeverRepressedEnds() {
        Cabling.unplug(net.sw1.port(1), 0);
        while (sender.nextDeadlineNs() < Long.MAX_VALUE) {
            sender.poll(sender.nextDeadlineNs());
        }
        assertEquals(TrapSender.SENDS_MAX, sent.size());
        assertEquals(0, sender.pending());
    }

    @Test
    void aSecondEventOfANodeDoesNotAddASecondTrap() {
        Cabling.unplug(net.sw1.port(1), 0);
        Cabling.unplug(net.sw1.port(2), 0);
        assertEquals(1, sent.size());
        assertEquals(1, sender.pending());
        repress(sent.getFirst());
        Cabling.unplug(net.sw1.port(3), 0);
        assertEquals(2, sent.size());
    }

    @Test
    void intervalsAreBounded() {
        net.sw1.port(0).subnetTimeout = 0;
        Cabling.unplug(net.sw1.port(1), 0);
        assertEquals(TrapSender.INTERVAL_MIN_NS, sender.nextDeadlineNs());
        repress(sent.getFirst());
        net.sw1.port(0).subnetTimeout = 31;
        Cabling.unplug(net.sw1.port(2), 0);
        assertEquals(TrapSender.INTERVAL_MAX_NS, sender.nextDeadlineNs());
    }

    @Test
    void aNodeWithoutIdentifiersSendsNoTrap() {
        net.sw1.port(0).managerLid = 0;
        Cabling.unplug(net.sw1.port(1), 0);
        assertEquals(0, sent.size());
        assertTrue(net.sw1.portStateChange());
    }

    @Test
    void theWaitingNoticeCanBeRead() {
        Asker asker = new Asker(net.sw1, 7);
        assertEquals(Smp.STATUS_GOOD, asker.get(Notice.ATTRIBUTE, 0));
        assertEquals(Notice.TYPE_EMPTY, asker.read(Notice.TYPE));
        Cabling.unplug(net.sw1.port(1), 0);
        asker.get(Notice.ATTRIBUTE, 0);
        assertEquals(Notice.LINK_STATE, asker.read(Notice.TRAP_NUMBER));
        assertEquals(1, asker.read(Notice.COUNT));
        asker.set(Notice.ATTRIBUTE, 0);
        assertEquals(Notice.TYPE_EMPTY, asker.read(Notice.TYPE));
        assertEquals(0, sender.pending());
    }

    @Test
    void theToggleChangesWithEachNoticeThatLeavesTheQueue() {
        Asker asker = new Asker(net.sw1, 7);
        for (int i = 0; i < 4; i++) {
            Cabling.flap(net.sw1.port(1), 10 * SECOND_NS * i);
            asker.get(Notice.ATTRIBUTE, 0);
            assertEquals(i % 2, asker.read(Notice.TOGGLE));
            asker.set(Notice.ATTRIBUTE, 0);
            assertEquals(Notice.TYPE_EMPTY, asker.read(Notice.TYPE));
            assertEquals((i + 1) % 2, asker.read(Notice.TOGGLE));
        }
    }

    @Test
    void errorsOfALinkAreToldWithItsPort() {
        LinkErrors.onDamage(net.sw1.port(7), 0);
        LinkErrors.onOverruns(net.sw1.port(7), 0);
        LinkErrors.onSilence(net.host(4).port(1), 0);
        assertEquals(
                List.of(
                        "810000020081" + "0003" + "0000" + "0000" + "0003" + "07" + "00".repeat(49),
                        "810000020082" + "0003" + "0000" + "0000" + "0003" + "07" + "00".repeat(49),
                        "810000010083" + "0006" + "0000" + "0000" + "0006" + "01" + "00".repeat(49)),
                sent.stream().map(HexFormat.of()::formatHex).toList());
        assertEquals(1, net.sw1.port(7).counters().localLinkIntegrityErrors);
        assertEquals(1, net.sw1.port(7).counters().excessiveBufferOverruns);
    }

    @Test
    void eachLinkOfASwitchHasItsOwnTrapAndOneOfAFloodIsSent() {
        for (int i = 0; i < 3; i++) {
            LinkErrors.onDamage(net.sw1.port(7), SECOND_NS / 10 * i);
            LinkErrors.onDamage(net.sw1.port(8), SECOND_NS / 10 * i);
        }
        assertEquals(2, sent.size());
        assertEquals(2, sender.pending());
        repress(sent.getFirst());
        assertEquals(1, sender.pending());
        LinkErrors.onDamage(net.sw1.port(7), SECOND_NS);
        assertEquals(3, sent.size());
    }

    @Test
    void ibsimsConductSendsOnce() {
        TwoSwitches like = new TwoSwitches(Conduct.IBSIM);
        like.sw1.hardware(net.sw1.hardware);
        like.sw1.traps(sender);
        identify(like.sw1.port(0), 3);
        Cabling.unplug(like.sw1.port(1), 0);
        assertEquals(1, sent.size());
        assertEquals(0, sender.pending());
    }

    @Test
    void withoutASenderATrapIsSentOnce() {
        net.sw1.traps(null);
        Cabling.unplug(net.sw1.port(1), 0);
        assertEquals(1, sent.size());
        assertEquals(MadOutcome.DONE, repress(sent.getFirst()));
    }

    private MadOutcome repress(byte[] notice) {
        Asker manager = new Asker(net.sw1, 7);
        Smp.request(manager.mad, 0, Smp.CLASS_LID_ROUTED, Smp.METHOD_TRAP_REPRESS, 0, Notice.ATTRIBUTE, 0);
        MemorySegment.copy(notice, 0, manager.mad, ValueLayout.JAVA_BYTE, Smp.DATA, notice.length);
        manager.send();
        return manager.outcome;
    }
}
