package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.PortInfo;

/** Packets with wrong keys are counted, and one trap at a time tells of them. */
final class KeyViolationsTest {
    private static final BadPacket PACKET = new BadPacket(11, 12, 0x8123, 3, 0x41, 0x42);

    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final TrapSender sender = new TrapSender();
    private final List<MemorySegment> traps = new ArrayList<>();

    @BeforeEach
    void configure() {
        for (ManagedNode node : net.nodes) {
            node.traps(sender);
            node.endPort(1).identify(5, 0);
            node.endPort(1).managerLid = 1;
            node.hardware(new NodeHardware() {
                @Override
                public void onPortState(ManagedPort port) {}

                @Override
                public void onPortSettings(ManagedPort port) {}

                @Override
                public void onTrap(ManagedPort from, byte[] notice) {
                    traps.add(MemorySegment.ofArray(notice));
                }
            });
        }
    }

    @Test
    void aPartitionKeyAtAHostIsCountedAndTold() {
        KeyViolations.onPartitionKey(net.host(1).port(1), PACKET, 0);
        MemorySegment notice = traps.getFirst();
        assertEquals(Notice.BAD_PARTITION_KEY, Notice.TRAP_NUMBER.read(notice, 0));
        assertEquals(Notice.TYPE_SECURITY, Notice.TYPE.read(notice, 0));
        assertEquals(11, Notice.LID.read(notice, 0));
        assertEquals(12, Notice.TARGET_LID.read(notice, 0));
        assertEquals(0x8123, Notice.KEY.read(notice, 0));
        assertEquals(3, Notice.SERVICE_LEVEL.read(notice, 0));
        assertEquals(0x41, Notice.SOURCE_QUEUE_PAIR.read(notice, 0));
        assertEquals(0x42, Notice.TARGET_QUEUE_PAIR.read(notice, 0));
        Asker asker = new Asker(net.host(1), 1);
        asker.get(PortInfo.ATTRIBUTE, 1);
        assertEquals(1, asker.read(PortInfo.PARTITION_VIOLATIONS));
        assertEquals(0, asker.read(PortInfo.QKEY_VIOLATIONS));
    }

    @Test
    void aQueueKeyIsCountedAndTold() {
        KeyViolations.onQueueKey(net.host(1).port(1), PACKET, 0);
        assertEquals(Notice.BAD_QUEUE_KEY, Notice.TRAP_NUMBER.read(traps.getFirst(), 0));
        assertEquals(1, net.host(1).port(1).qkeyViolations);
    }

    @Test
    void aPartitionKeyAtASwitchNamesItsPort() {
        KeyViolations.onPartitionKey(net.sw1.port(7), PACKET, 0);
        MemorySegment notice = traps.getFirst();
        assertEquals(Notice.BAD_SWITCH_PARTITION_KEY, Notice.TRAP_NUMBER.read(notice, 0));
        assertEquals(11, Notice.LID.read(notice, 0));
        assertEquals(12, Notice.TARGET_LID.read(notice, 0));
        assertEquals(0x8123, Notice.SWITCH_KEY.read(notice, 0));
        assertEquals(3, Notice.SWITCH_SERVICE_LEVEL.read(notice, 0));
        assertEquals(0x41, Notice.SWITCH_SOURCE_QUEUE_PAIR.read(notice, 0));
        assertEquals(0x42, Notice.SWITCH_TARGET_QUEUE_PAIR.read(notice, 0));
        assertEquals(5, Notice.SWITCH_LID.read(notice, 0));
        assertEquals(7, Notice.SWITCH_PORT.read(notice, 0));
        assertEquals(0, net.sw1.port(7).partitionViolations);
    }

    @Test
    void ofManyPacketsOneTrapTells() {
        for (int packet = 0; packet < 0x1_0005; packet++) {
            KeyViolations.onPartitionKey(net.host(1).port(1), PACKET, 0);
            KeyViolations.onPartitionKey(net.sw1.port(7), PACKET, 0);
        }
        assertEquals(2, traps.size());
        assertEquals(0xffff, net.host(1).port(1).partitionViolations);
    }
}
