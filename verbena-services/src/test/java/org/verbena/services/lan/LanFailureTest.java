package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.link.Endpoint;
import org.verbena.link.frame.FrameCableOptions;
import org.verbena.services.lan.LanStand.HostNode;
import org.verbena.services.lan.LanStand.UnitNode;

/** Units and hosts that die, and networks that are cut, in virtual time. */
final class LanFailureTest {
    private static final long A = 0x0200_0000_000aL;
    private static final long B = 0x0200_0000_000bL;
    private static final long STATION = 0x0011_2233_4455L;

    private final LanStand stand = new LanStand();

    @AfterEach
    void closeAll() {
        stand.close();
    }

    private UnitNode unit() {
        return stand.unit(options -> options);
    }

    private void awaitUp(HostNode... hosts) {
        for (HostNode host : hosts) {
            assertTrue(
                    stand.run(host::isUp, Duration.ofSeconds(2)),
                    () -> host.driver.state() + ": " + host.driver.failure());
        }
    }

    private void awaitCount(LanStand.Station station, int count) {
        assertTrue(
                stand.run(() -> station.received.size() >= count, LanStand.SOON),
                () -> station.received.size() + " of " + count);
        stand.run(Duration.ofMillis(1));
        assertEquals(count, station.received.size());
    }

    @Test
    void theUnitForgetsAHostThatDiesAndGivesItsMemoryBack() {
        UnitNode unit = unit();
        HostNode live = stand.host(unit, B);
        awaitUp(live);
        int pairs = unit.adapter.queuePairCount();
        int free = unit.driver.freeBuffers();
        HostNode host = stand.host(unit, A);
        awaitUp(host);
        assertTrue(unit.adapter.queuePairCount() > pairs);
        host.die();
        for (int i = 0; i < 50; i++) {
            unit.station.send(LanStand.frame(A, STATION, i, 1000));
        }
        assertTrue(stand.run(() -> unit.driver.hostCount() == 1, Duration.ofSeconds(4)));
        stand.run(Duration.ofSeconds(1));
        assertEquals(free, unit.driver.freeBuffers());
        assertEquals(pairs, unit.adapter.queuePairCount());
        HostNode next = stand.host(unit, A);
        awaitUp(next);
        assertEquals(0, next.station.received.size(), "frames for the old host are gone");
    }

    @Test
    void aHostFindsItsUnitAgainAndDeliversNoOldFrame() {
        UnitNode unit = unit();
        HostNode host = stand.host(unit, A);
        awaitUp(host);
        int free = host.driver.freeBuffers();
        unit.die();
        for (int i = 0; i < 500; i++) {
            host.station.send(LanStand.frame(STATION, A, i, 1200));
        }
        assertTrue(stand.run(() -> !host.isUp(), Duration.ofSeconds(4)), "noticed within the limit");
        assertFalse(host.station.port.isUp(), "no carrier");
        assertTrue(host.driver.freeBuffers() >= free, "the port may keep two");
        unit.station.received.clear();
        Endpoint at = unit.adapter.endpoint();
        stand.end(unit);
        UnitNode next = stand.unitAt(at);
        assertTrue(stand.run(host::isUp, Duration.ofSeconds(10)), () -> host.driver.failure());
        assertTrue(stand.run(() -> host.station.port.isUp(), LanStand.SOON));
        host.station.send(LanStand.frame(STATION, A, 7777, 100));
        awaitCount(next.station, 1);
        assertEquals(7777, LanStand.number(next.station.received.getFirst()));
        assertEquals(A, host.mac());
    }

    @Test
    void bothEndsNoticeACutNetworkAndTheHostComesBack() {
        UnitNode unit = unit();
        CutLink link = new CutLink(stand.network.open());
        HostOptions options = HostOptions.DEFAULT.withAddress(new MacAddress(A));
        HostNode host = stand.host(unit.driver.address(), options, FrameCableOptions.defaults(), stand.adapter(link));
        awaitUp(host);
        int free = unit.driver.freeBuffers();
        link.cut(true);
        for (int i = 0; i < 50; i++) {
            host.station.send(LanStand.frame(STATION, A, i, 1000));
            unit.station.send(LanStand.frame(A, STATION, i, 1000));
        }
        assertTrue(stand.run(() -> !host.isUp() && unit.driver.hostCount() == 0, Duration.ofSeconds(4)));
        assertEquals(free, unit.driver.freeBuffers());
        assertFalse(host.station.port.isUp());
        link.cut(false);
        unit.station.received.clear();
        host.station.received.clear();
        assertTrue(stand.run(host::isUp, Duration.ofSeconds(10)), () -> host.driver.failure());
        assertTrue(stand.run(() -> host.station.port.isUp(), LanStand.SOON));
        host.station.send(LanStand.frame(STATION, A, 7777, 100));
        unit.station.send(LanStand.frame(A, STATION, 8888, 100));
        awaitCount(unit.station, 1);
        awaitCount(host.station, 1);
        assertEquals(7777, LanStand.number(unit.station.received.getFirst()));
        assertEquals(8888, LanStand.number(host.station.received.getFirst()));
    }

    @Test
    void aHostThatComesBackBeforeItsUnitHasNoticedTakesItsPlaceOver() {
        UnitNode unit = stand.unit(options -> options.withSilenceLimit(Duration.ofMinutes(5)));
        CutLink link = new CutLink(stand.network.open());
        HostOptions options = HostOptions.DEFAULT
                .withAddress(new MacAddress(A))
                .withSilenceLimit(Duration.ofMillis(200))
                .withFilter(new LanFilter(false, false, true, List.of(), List.of()));
        HostNode host = stand.host(unit.driver.address(), options, FrameCableOptions.defaults(), stand.adapter(link));
        awaitUp(host);
        link.cut(true);
        assertTrue(stand.run(() -> !host.isUp(), Duration.ofSeconds(2)));
        link.cut(false);
        assertEquals(1, unit.driver.hostCount(), "not noticed");
        assertTrue(stand.run(host::isUp, Duration.ofSeconds(10)), () -> host.driver.failure());
        assertFalse(host.driver.failure().contains("another host"), "attached by the first attempt");
        assertEquals(1, unit.driver.hostCount());
        unit.station.send(LanStand.frame(0x0100_5e00_0001L, STATION, 1, 100));
        unit.station.send(LanStand.frame(A, STATION, 2, 100));
        awaitCount(host.station, 1);
        assertEquals(2, LanStand.number(host.station.received.getFirst()), "the filter is set again");
    }

    @Test
    void attemptsToConnectBecomeRare() {
        HostNode host = stand.host(
                new InetSocketAddress(
                        stand.unit(options -> options).adapter.endpoint().address(), 9),
                HostOptions.DEFAULT);
        int[] attempts = {0};
        HostState[] last = {HostState.DOWN};
        stand.run(
                () -> {
                    HostState state = host.driver.state();
                    attempts[0] += state == HostState.CONNECTING && last[0] == HostState.DOWN ? 1 : 0;
                    last[0] = state;
                    return false;
                },
                Duration.ofSeconds(20));
        // After 50, 100, 200, 400, 800, 1600 ms, then every 2 s.
        assertTrue(attempts[0] >= 10 && attempts[0] <= 16, attempts[0] + " attempts in 20 s");
        assertFalse(host.driver.failure().isEmpty());
    }

    @Test
    void severalHostsShareAnAdapterAndUseSeveralUnits() {
        UnitNode left = unit();
        UnitNode right = unit();
        HostNode first = stand.host(left, A);
        HostNode second = stand.host(
                right.driver.address(),
                HostOptions.DEFAULT.withAddress(new MacAddress(B)),
                FrameCableOptions.defaults(),
                first.adapter);
        awaitUp(first, second);
        first.station.send(LanStand.frame(STATION, A, 1, 100));
        second.station.send(LanStand.frame(STATION, B, 2, 100));
        awaitCount(left.station, 1);
        awaitCount(right.station, 1);
        left.die();
        assertTrue(stand.run(() -> !first.isUp(), Duration.ofSeconds(4)));
        assertTrue(second.isUp());
        right.station.send(LanStand.frame(B, STATION, 3, 100));
        awaitCount(second.station, 1);
    }

    @Test
    void aRequestOfAHostThatIsNotUpFails() {
        UnitNode unit = unit();
        HostNode host = stand.host(unit, A);
        var early = host.driver.statistics();
        assertTrue(stand.run(early::isDone, LanStand.SOON));
        assertTrue(early.isCompletedExceptionally());
        awaitUp(host);
        unit.die();
        var lost = host.driver.statistics();
        assertTrue(stand.run(lost::isDone, Duration.ofSeconds(4)));
        assertTrue(lost.isCompletedExceptionally());
        host.driver.close();
        assertEquals(HostState.CLOSED, host.driver.state());
        assertTrue(host.driver.statistics().isCompletedExceptionally());
    }
}
