package org.verbena.fabric.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.Registers;

/** Errors of a link have it trained again when they are too many. */
final class LinkWatchTest {
    private final RawStand stand = new RawStand(2);
    private final ManagedPort port = stand.ports.get(1);
    private final PortFlow at = stand.flow.directory.flowOf(port);

    @BeforeEach
    void configure() {
        Registers.thresholds(port, 3, 2);
    }

    @AfterEach
    void close() {
        stand.close();
    }

    private void good(int packets) {
        for (int i = 0; i < packets; i++) {
            stand.send(0, 2, 0, RawStand.PKEY);
        }
        assertEquals(packets, stand.received(1));
    }

    private void period() {
        stand.flow.run(stand.flow.nowNs() + Flow.REFRESH_PS / Flow.PS_PER_NS, false);
    }

    @Test
    void moreDamagedPacketsThanTheThresholdHaveTheLinkTrainedAgain() {
        for (int i = 0; i < 3; i++) {
            at.watch.onDamage(false);
        }
        stand.run();
        assertEquals(0, port.counters().localLinkIntegrityErrors);
        at.watch.onDamage(false);
        stand.run();
        assertEquals(1, port.counters().localLinkIntegrityErrors);
        assertEquals(1, port.counters().linkErrorRecoveries);
        assertEquals(1, stand.crossing.port(2).counters().linkErrorRecoveries);
        assertEquals(0, port.counters().linkDowned);
        assertEquals(PortState.ACTIVE, port.state());
        good(50);
        assertEquals(List.of(), stand.flow.auditCredits());
    }

    @Test
    void eachGoodPacketTakesOneDamagedOff() {
        for (int i = 0; i < 20; i++) {
            at.watch.onDamage(false);
            good(1);
        }
        assertEquals(0, port.counters().localLinkIntegrityErrors);
        for (int i = 0; i < 8; i++) {
            at.watch.onDamage(false);
            at.watch.onDamage(false);
            good(1);
        }
        assertTrue(port.counters().localLinkIntegrityErrors > 0);
    }

    @Test
    void overrunsInSeveralPeriodsInARowHaveTheLinkTrainedAgain() {
        at.watch.onOverrun();
        at.watch.onOverrun();
        period();
        period();
        at.watch.onOverrun();
        stand.run();
        assertEquals(0, port.counters().excessiveBufferOverruns);
        period();
        at.watch.onOverrun();
        period();
        at.watch.onOverrun();
        period();
        assertEquals(1, port.counters().excessiveBufferOverruns);
        assertEquals(1, port.counters().linkErrorRecoveries);
    }

    @Test
    void flowControlThatStaysAwayHasTheLinkTrainedAgain() {
        at.watch.onNoteLost();
        long start = stand.flow.nowNs();
        long endNs = start + LinkWatch.SILENCE_PS / Flow.PS_PER_NS;
        stand.flow.run(endNs - 1, false);
        assertEquals(0, port.counters().linkErrorRecoveries);
        stand.flow.run(endNs, false);
        assertEquals(1, port.counters().linkErrorRecoveries);
    }

    @Test
    void flowControlThatComesInTimeStopsTheWatch() {
        at.watch.onNoteLost();
        at.onNote(0, 0, 512);
        stand.flow.run(stand.flow.nowNs() + 2 * LinkWatch.SILENCE_PS / Flow.PS_PER_NS, false);
        assertEquals(0, port.counters().linkErrorRecoveries);
    }

    @Test
    void aLinkThatWentDownIsNotTrainedAgain() {
        at.watch.onNoteLost();
        for (int i = 0; i < 4; i++) {
            at.watch.onDamage(false);
        }
        stand.flow.unplug(port);
        stand.flow.run(stand.flow.nowNs() + 2 * LinkWatch.SILENCE_PS / Flow.PS_PER_NS, false);
        assertEquals(0, port.counters().linkErrorRecoveries);
    }

    @Test
    void aTrainingByOneEndEndsTheWatchOfTheOther() {
        PortFlow other = stand.flow.directory.flowOf(stand.crossing.port(2));
        other.watch.onNoteLost();
        for (int i = 0; i < 4; i++) {
            at.watch.onDamage(false);
        }
        stand.flow.run(stand.flow.nowNs() + 2 * LinkWatch.SILENCE_PS / Flow.PS_PER_NS, false);
        assertEquals(1, port.counters().linkErrorRecoveries);
    }

    @Test
    void noEventIsLeftBehindATraining() {
        for (int i = 0; i < 4; i++) {
            at.watch.onDamage(false);
        }
        stand.run();
        assertEquals(1, port.counters().linkErrorRecoveries);
        assertEquals(Long.MAX_VALUE, stand.flow.nextEventNs());
        good(50);
        stand.run();
        assertEquals(Long.MAX_VALUE, stand.flow.nextEventNs());
    }

    @Test
    void beforeManagementChangesTheThresholdsNoErrorHasTheLinkTrained() {
        ManagedPort fresh = stand.ports.getFirst();
        PortFlow flow = stand.flow.directory.flowOf(fresh);
        Registers.thresholds(fresh, 0, 0); // what it had
        for (int i = 0; i < 100; i++) {
            flow.watch.onDamage(false);
            flow.watch.onOverrun();
            period();
        }
        assertEquals(0, fresh.counters().linkErrorRecoveries);
        Registers.thresholds(fresh, 0, 15);
        Registers.thresholds(fresh, 0, 0);
        flow.watch.onOverrun();
        stand.run();
        assertEquals(1, fresh.counters().linkErrorRecoveries);
    }
}
