package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.Field;
import org.verbena.wire.subnet.GoldenMad;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;

/** The requests that OpenSM sent to ibsim, sent to our agents: the answers are equal. */
final class GoldenReplayTest {
    /** The client's number in the highest 16 bits is ibsim's. */
    private static final long TRANSACTION_MASK = 0xffff_ffff_ffffL;

    /** What a node with the standard's conduct shows in another way than ibsim. */
    private static final List<Field> STANDARD_PORT = List.of(
            PortInfo.CAPABILITY_MASK,
            PortInfo.KEY_LEASE_PERIOD,
            PortInfo.WIDTH_ENABLED,
            PortInfo.SPEED_ENABLED,
            PortInfo.NEIGHBOR_MTU,
            PortInfo.ENFORCEMENT,
            PortInfo.SUBNET_TIMEOUT,
            PortInfo.ERROR_THRESHOLDS);

    private static final List<Field> STANDARD_SWITCH =
            List.of(SwitchInfo.LINEAR_CAP, SwitchInfo.INBOUND_ENFORCEMENT_CAP, SwitchInfo.OUTBOUND_ENFORCEMENT_CAP);

    @Test
    void aSweepWithMinhopRoutingIsAnsweredAsByIbsim() {
        assertEquals(166, replay(Conduct.IBSIM, GoldenMad.read("minhop").stream()));
    }

    @Test
    void aSweepWithServiceLevelsIsAnsweredAsByIbsim() {
        assertEquals(318, replay(Conduct.IBSIM, GoldenMad.read("qos").stream()));
    }

    @Test
    void multicastTablesAreAnsweredAsByIbsim() {
        assertEquals(
                202,
                replay(
                        Conduct.IBSIM,
                        Stream.concat(GoldenMad.read("minhop").stream(), GoldenMad.read("mcast").stream())));
    }

    @Test
    void theStandardsConductDiffersInTheNamedFieldsOnly() {
        assertEquals(166, replay(Conduct.STANDARD, GoldenMad.read("minhop").stream()));
        assertEquals(318, replay(Conduct.STANDARD, GoldenMad.read("qos").stream()));
    }

    /** Sends the requests in their order; returns how many answers were compared. */
    private static int replay(Conduct conduct, Stream<GoldenMad> file) {
        List<GoldenMad> mads = file.filter(GoldenMad::isSmp).toList();
        Map<Long, MemorySegment> expected = new HashMap<>();
        mads.stream()
                .filter(mad -> !mad.isRequest())
                .forEach(mad -> expected.put(mad.transaction() & TRANSACTION_MASK, mad.segment()));
        TwoSwitches net = new TwoSwitches(conduct);
        SubnetAgent.manager(net.host(1).port(1), true, 0);
        int compared = 0;
        for (GoldenMad golden : mads) {
            if (golden.isRequest()) {
                MemorySegment mad = golden.segment();
                ManagedPort target = golden.managementClass() == Smp.CLASS_DIRECTED
                        ? TwoSwitches.walk(net.host(1).port(1), mad)
                        : net.owner(golden.targetLid());
                assertNotNull(target, golden::toString);
                assertEquals(MadOutcome.ANSWERED, SubnetAgent.handle(target.node(), target.number(), mad, 0));
                MemorySegment answer = expected.get(golden.transaction() & TRANSACTION_MASK);
                assertNotNull(answer, golden::toString);
                Smp.TRANSACTION.write(answer, 0, golden.transaction());
                if (conduct == Conduct.STANDARD) {
                    hide(golden.attribute(), mad);
                    hide(golden.attribute(), answer);
                }
                assertEquals(hex(answer), hex(mad), golden::toString);
                compared++;
            }
        }
        return compared;
    }

    private static void hide(int attribute, MemorySegment mad) {
        switch (attribute) {
            case PortInfo.ATTRIBUTE -> {
                STANDARD_PORT.forEach(field -> field.write(mad, Smp.DATA, 0));
                PortInfo.GID_PREFIX.write(mad, Smp.DATA, 0);
            }
            case SwitchInfo.ATTRIBUTE -> STANDARD_SWITCH.forEach(field -> field.write(mad, Smp.DATA, 0));
            default -> {}
        }
    }

    private static String hex(MemorySegment mad) {
        return HexFormat.of().formatHex(mad.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), 0, Mad.LENGTH);
    }
}
