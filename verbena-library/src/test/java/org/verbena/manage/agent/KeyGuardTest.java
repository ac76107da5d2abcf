package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.manage.NodeKind;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** Management keys: levels of protection, lease, violations. */
final class KeyGuardTest {
    private static final long KEY = 0x1122_3344_5566_7788L;
    private static final long SECOND_NS = 1_000_000_000L;

    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final ManagedPort port = net.host(1).port(1);
    private final Asker owner = new Asker(net.host(1), 1);
    private final Asker stranger = new Asker(net.host(1), 1);
    private final List<MemorySegment> traps = new ArrayList<>();

    @BeforeEach
    void listen() {
        net.host(1).hardware(new NodeHardware() {
            @Override
            public void onPortState(ManagedPort changed) {}

            @Override
            public void onPortSettings(ManagedPort changed) {}

            @Override
            public void onTrap(ManagedPort from, byte[] notice) {
                traps.add(MemorySegment.ofArray(notice));
            }
        });
        owner.port(1).with(PortInfo.LID, 5).with(PortInfo.MANAGER_LID, 1).setPort(1);
        stranger.key = 0xbad;
    }

    private void protect(int level, int leaseSeconds) {
        int status = owner.port(1)
                .with(PortInfo.MANAGEMENT_KEY, KEY)
                .with(PortInfo.KEY_PROTECTION, level)
                .with(PortInfo.KEY_LEASE_PERIOD, leaseSeconds)
                .with(PortInfo.KEY_VIOLATIONS, 0)
                .setPort(1);
        assertEquals(Smp.STATUS_GOOD, status);
        owner.key = KEY;
    }

    @Test
    void aPortWithoutAKeyFollowsEveryKey() {
        assertEquals(Smp.STATUS_GOOD, stranger.port(1).with(PortInfo.LMC, 0).setPort(1));
        assertEquals(0, port.keyViolations);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aSetNeedsTheKeyAtEveryLevel(int level) {
        protect(level, 0);
        stranger.with(PortInfo.LID, 9);
        assertEquals(Asker.SILENCE, stranger.setPort(1));
        assertEquals(MadOutcome.DONE, stranger.outcome);
        assertEquals(5, port.lid());
        assertEquals(1, port.keyViolations);
        assertEquals(Smp.STATUS_GOOD, owner.port(1).with(PortInfo.LID, 6).setPort(1));
        assertEquals(6, port.lid());
    }

    @Test
    void theKeyIsShownAtLevel0OnlyToStrangers() {
        for (int level = 0; level < 2; level++) {
            protect(level, 0);
            assertEquals(Smp.STATUS_GOOD, stranger.get(PortInfo.ATTRIBUTE, 1));
            assertEquals(level == 0 ? KEY : 0, stranger.read(PortInfo.MANAGEMENT_KEY));
            owner.get(PortInfo.ATTRIBUTE, 1);
            assertEquals(KEY, owner.read(PortInfo.MANAGEMENT_KEY));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void theAnswerToASetShowsTheKeyThatWasSet(int level) {
        protect(level, 0);
        assertEquals(KEY, owner.read(PortInfo.MANAGEMENT_KEY));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aGetNeedsTheKeyFromLevel2On(int level) {
        protect(level, 0);
        assertEquals(Asker.SILENCE, stranger.get(NodeInfo.ATTRIBUTE, 0));
        assertEquals(Smp.STATUS_GOOD, owner.get(NodeInfo.ATTRIBUTE, 0));
        assertEquals(1, port.keyViolations);
    }

    @Test
    void theProtectionLapsesWhenTheLeaseIsOver() {
        protect(2, 10);
        stranger.nowNs = 5 * SECOND_NS;
        assertEquals(Asker.SILENCE, stranger.get(NodeInfo.ATTRIBUTE, 0));
        stranger.nowNs = 15 * SECOND_NS - 1;
        assertEquals(Asker.SILENCE, stranger.get(NodeInfo.ATTRIBUTE, 0));
        stranger.nowNs = 15 * SECOND_NS;
        assertEquals(Smp.STATUS_GOOD, stranger.get(PortInfo.ATTRIBUTE, 1));
        assertEquals(KEY, stranger.read(PortInfo.MANAGEMENT_KEY), "level 0 shows the key");
        assertEquals(Asker.SILENCE, stranger.setPort(1), "and still needs it for a Set");
    }

    @Test
    void aPacketWithTheKeyStopsTheLease() {
        protect(2, 10);
        assertEquals(Asker.SILENCE, stranger.get(NodeInfo.ATTRIBUTE, 0));
        owner.nowNs = 9 * SECOND_NS;
        assertEquals(Smp.STATUS_GOOD, owner.get(NodeInfo.ATTRIBUTE, 0));
        stranger.nowNs = 11 * SECOND_NS;
        assertEquals(Asker.SILENCE, stranger.get(NodeInfo.ATTRIBUTE, 0));
    }

    @Test
    void aLeaseOf0NeverEnds() {
        protect(3, 0);
        assertEquals(Asker.SILENCE, stranger.get(NodeInfo.ATTRIBUTE, 0));
        stranger.nowNs = Long.MAX_VALUE - 1;
        assertEquals(Asker.SILENCE, stranger.get(NodeInfo.ATTRIBUTE, 0));
    }

    @Test
    void aViolationSendsATrapThatNamesThePacket() {
        protect(2, 0);
        Smp.request(stranger.mad, 0, Smp.CLASS_DIRECTED, Smp.METHOD_GET, 7, PortInfo.ATTRIBUTE, 0x8000_0001);
        Smp.HOP_COUNT.write(stranger.mad, 0, 2);
        Smp.returnPort(stranger.mad, 0, 1, 3);
        Smp.returnPort(stranger.mad, 0, 2, 9);
        stranger.send();
        assertEquals(1, traps.size());
        MemorySegment notice = traps.getFirst();
        assertEquals(Notice.BAD_MANAGEMENT_KEY, Notice.TRAP_NUMBER.read(notice, 0));
        assertEquals(Notice.TYPE_SECURITY, Notice.TYPE.read(notice, 0));
        assertEquals(5, Notice.ISSUER_LID.read(notice, 0));
        assertEquals(5, Notice.LID.read(notice, 0));
        assertEquals(Smp.METHOD_GET, Notice.METHOD.read(notice, 0));
        assertEquals(PortInfo.ATTRIBUTE, Notice.PACKET_ATTRIBUTE.read(notice, 0));
        assertEquals(0x8000_0001, Notice.PACKET_MODIFIER.read(notice, 0));
        assertEquals(0xbad, Notice.MANAGEMENT_KEY.read(notice, 0));
        assertEquals(1, Notice.IS_DIRECTED.read(notice, 0));
        assertEquals(2, Notice.HOPS.read(notice, 0));
        assertEquals(3, notice.get(java.lang.foreign.ValueLayout.JAVA_BYTE, Notice.RETURN_PATH));
        assertEquals(9, notice.get(java.lang.foreign.ValueLayout.JAVA_BYTE, Notice.RETURN_PATH + 1));
    }

    @Test
    void violationsStayAtTheirHighestCount() {
        protect(2, 0);
        port.keyViolations = 0xfffe;
        for (int i = 0; i < 3; i++) {
            stranger.get(NodeInfo.ATTRIBUTE, 0);
        }
        assertEquals(0xffff, port.keyViolations);
    }

    @Test
    void portInfoOfAnotherPortIsProtectedByItsOwnKeyToo() {
        ManagedNode two = new ManagedNode(NodeKind.ADAPTER, "two", 0x9000, 2);
        Asker atSecond = new Asker(two, 2);
        atSecond.port(2)
                .with(PortInfo.MANAGEMENT_KEY, KEY)
                .with(PortInfo.KEY_PROTECTION, 2)
                .setPort(2);
        Asker atFirst = new Asker(two, 1);
        assertEquals(Asker.SILENCE, atFirst.get(PortInfo.ATTRIBUTE, 2));
        assertEquals(1, two.port(2).keyViolations);
        assertEquals(Smp.STATUS_GOOD, atFirst.get(PortInfo.ATTRIBUTE, 1));
        assertEquals(Smp.STATUS_BAD_VALUE, atFirst.get(PortInfo.ATTRIBUTE, 3));
        atFirst.key = KEY;
        assertEquals(Smp.STATUS_GOOD, atFirst.get(PortInfo.ATTRIBUTE, 2));
    }

    @Test
    void ofASwitchTheKeyOfPort0Counts() {
        Asker atSwitch = new Asker(net.sw1, 2);
        atSwitch.port(0).with(PortInfo.MANAGEMENT_KEY, KEY).setPort(0);
        Asker thief = new Asker(net.sw1, 3);
        assertEquals(Smp.STATUS_GOOD, thief.get(PortInfo.ATTRIBUTE, 3));
        assertEquals(Asker.SILENCE, thief.setPort(3));
        assertTrue(net.sw1.port(0).keyViolations == 1);
    }
}
