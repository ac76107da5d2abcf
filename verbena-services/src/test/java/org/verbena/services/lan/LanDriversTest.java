package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.link.frame.EthernetHeader;
import org.verbena.link.frame.FrameCableOptions;
import org.verbena.services.lan.LanStand.HostNode;
import org.verbena.services.lan.LanStand.UnitNode;

/** Units and hosts together, in virtual time. */
final class LanDriversTest {
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
    void framesGoBothWaysUnchangedAndInOrder() {
        UnitNode unit = unit();
        HostNode host = stand.host(unit, A);
        awaitUp(host);
        assertEquals(1, unit.driver.hostCount());
        assertTrue(host.station.port.isUp(), "the host's system has a carrier");
        for (int i = 0; i < 200; i++) {
            assertTrue(host.station.send(LanStand.frame(STATION, A, i, 4 + i * 7)));
            assertTrue(unit.station.send(LanStand.frame(A, STATION, 1000 + i, 4 + i * 7)));
            if (i % 50 == 49) {
                awaitCount(unit.station, i + 1);
                awaitCount(host.station, i + 1);
            }
        }
        for (int i = 0; i < 200; i++) {
            assertArrayEquals(LanStand.frame(STATION, A, i, 4 + i * 7), unit.station.received.get(i));
            assertArrayEquals(LanStand.frame(A, STATION, 1000 + i, 4 + i * 7), host.station.received.get(i));
        }
    }

    @Test
    void twoHostsOfOneUnitExchangeFramesThatTheLanDoesNotSee() {
        UnitNode unit = unit();
        HostNode a = stand.host(unit, A);
        HostNode b = stand.host(unit, B);
        awaitUp(a, b);
        a.station.send(LanStand.frame(B, A, 1, 100));
        awaitCount(b.station, 1);
        b.station.send(LanStand.frame(A, B, 2, 100));
        awaitCount(a.station, 1);
        a.station.send(LanStand.frame(EthernetHeader.BROADCAST, A, 3, 100));
        awaitCount(b.station, 2);
        awaitCount(unit.station, 1);
        assertEquals(3, LanStand.number(unit.station.received.getFirst()));
        assertEquals(1, a.station.received.size(), "not its own broadcast");
    }

    @Test
    void theUnitAssignsAnAddressToAHostWithoutOne() {
        UnitNode unit = unit();
        HostNode host = stand.host(unit.driver.address(), HostOptions.DEFAULT);
        awaitUp(host);
        assertEquals(2, host.mac() >>> 40);
        assertEquals(host.mac(), host.cable.left().macAddress());
        assertEquals("unit", host.driver.unitName());
        unit.station.send(LanStand.frame(host.mac(), STATION, 1, 50));
        awaitCount(host.station, 1);
    }

    @Test
    void aHostWithTheAddressOfAnotherIsNotAttached() {
        UnitNode unit = unit();
        HostNode first = stand.host(unit, A);
        awaitUp(first);
        HostNode second = stand.host(unit, A);
        assertFalse(stand.run(second::isUp, Duration.ofSeconds(1)));
        assertTrue(
                second.driver.failure().contains("another host has the address 02:00:00:00:00:0a"),
                second.driver.failure());
        unit.station.send(LanStand.frame(A, STATION, 1, 50));
        awaitCount(first.station, 1);
        stand.end(first);
        assertTrue(stand.run(second::isUp, Duration.ofSeconds(6)), "it tries again");
    }

    @Test
    void aForgedSourceIsDroppedAndCounted() {
        UnitNode unit = unit();
        HostNode a = stand.host(unit, A);
        HostNode b = stand.host(unit, B);
        awaitUp(a, b);
        a.station.send(LanStand.frame(STATION, B, 1, 100));
        a.station.send(LanStand.frame(STATION, A, 2, 100));
        awaitCount(unit.station, 1);
        assertEquals(2, LanStand.number(unit.station.received.getFirst()));
        assertEquals(1, statistic(a, "tx_spoofed"));
        assertEquals(1, statistic(a, "tx_dropped"));
        assertEquals(1, statistic(a, "tx_packets"));
        assertEquals(0, statistic(b, "tx_dropped"));
    }

    private long statistic(HostNode host, String name) {
        var future = host.driver.statistics();
        assertTrue(stand.run(future::isDone, LanStand.SOON));
        return future.join().getOrDefault(name, -1L);
    }

    @Test
    void filtersAndAddressesAreChangedWhileFramesGo() {
        UnitNode unit = unit();
        HostNode host = stand.host(unit, A);
        awaitUp(host);
        long group = 0x0100_5e00_0001L;
        done(host.driver.filter(new LanFilter(false, false, false, List.of(new MacAddress(group)), List.of())));
        unit.station.send(LanStand.frame(EthernetHeader.BROADCAST, STATION, 1, 50));
        unit.station.send(LanStand.frame(group, STATION, 2, 50));
        unit.station.send(LanStand.frame(group + 1, STATION, 3, 50));
        awaitCount(host.station, 1);
        assertEquals(2, LanStand.number(host.station.received.getFirst()));
        done(host.driver.addAddress(new MacAddress(B)));
        unit.station.send(LanStand.frame(B, STATION, 4, 50));
        awaitCount(host.station, 2);
        done(host.driver.removeAddress(new MacAddress(B)));
        done(host.driver.address(new MacAddress(B + 1)));
        unit.station.send(LanStand.frame(A, STATION, 5, 50));
        unit.station.send(LanStand.frame(B, STATION, 6, 50));
        unit.station.send(LanStand.frame(B + 1, STATION, 7, 50));
        awaitCount(host.station, 3);
        assertEquals(7, LanStand.number(host.station.received.get(2)));
        assertEquals(B + 1, host.cable.left().macAddress());
        assertEquals(1, statistic(host, "multicast"));
        assertEquals(0, statistic(host, "rx_broadcast"));
    }

    private void done(CompletableFuture<Void> future) {
        assertTrue(stand.run(future::isDone, LanStand.SOON));
        future.join();
    }

    @Test
    void theLowerMtuCountsAndLongerFramesAreDropped() {
        UnitNode unit = unit();
        HostNode large = stand.host(
                unit.driver.address(),
                HostOptions.DEFAULT.withMtu(9000).withAddress(new MacAddress(A)),
                FrameCableOptions.defaults().withMtu(9216),
                null);
        HostNode usual = stand.host(unit, B);
        awaitUp(large, usual);
        assertEquals(9000, large.driver.mtu());
        large.station.send(LanStand.frame(STATION, A, 1, 9000));
        large.station.send(LanStand.frame(STATION, A, 2, 9001));
        awaitCount(unit.station, 1);
        assertEquals(1, statistic(large, "tx_length_errors"));
        unit.station.send(LanStand.frame(B, STATION, 3, 1501));
        unit.station.send(LanStand.frame(B, STATION, 4, 1500));
        awaitCount(usual.station, 1);
        assertEquals(1, statistic(usual, "rx_length_errors"));
        done(large.driver.mtu(1000));
        assertEquals(1000, large.cable.left().mtu());
        unit.station.send(LanStand.frame(A, STATION, 5, 1001));
        stand.run(Duration.ofMillis(5));
        assertEquals(0, large.station.received.size());
        UnitNode small = stand.unit(FrameCableOptions.defaults(), options -> options);
        HostNode lowered = stand.host(small.driver.address(), HostOptions.DEFAULT.withMtu(9000));
        awaitUp(lowered);
        assertEquals(1500, lowered.driver.mtu());
    }

    @Test
    void hostsLoseTheirCarrierWithTheLan() {
        UnitNode unit = unit();
        HostNode host = stand.host(unit, A);
        awaitUp(host);
        assertTrue(host.station.port.isUp());
        unit.cable.up(false);
        assertTrue(stand.run(() -> !host.station.port.isUp(), Duration.ofMillis(150)), "within the look of 100 ms");
        assertTrue(host.isUp(), "the connection stays");
        unit.cable.up(true);
        assertTrue(stand.run(() -> host.station.port.isUp(), Duration.ofMillis(150)));
        assertEquals(2, statistic(host, "carrier_changes"));
        unit.cable.up(false);
        stand.run(Duration.ofMillis(200));
        HostNode late = stand.host(unit, B);
        awaitUp(late);
        assertFalse(late.station.port.isUp());
    }

    @Test
    void aHostThatTakesNothingDoesNotHurtAnother() {
        UnitNode unit = unit();
        HostNode dead = stand.host(unit, A);
        HostNode live = stand.host(unit, B);
        awaitUp(dead, live);
        int free = unit.driver.freeBuffers();
        dead.die();
        int sent = 0;
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < 40; i++) {
                unit.station.send(LanStand.frame(A, STATION, i, i % 4 == 0 ? 9000 : 500));
            }
            assertTrue(unit.station.send(LanStand.frame(B, STATION, sent, 1400)));
            sent++;
            int expected = sent;
            assertTrue(
                    stand.run(() -> live.station.received.size() == expected, Duration.ofMillis(20)), "round " + round);
        }
        assertEquals(
                IntStream.range(0, sent).boxed().toList(),
                live.station.received.stream().map(LanStand::number).toList());
        assertEquals(0, statistic(live, "rx_dropped"));
        assertTrue(stand.run(() -> unit.driver.hostCount() == 1, Duration.ofSeconds(4)), "forgotten within the limit");
        assertEquals(free, unit.driver.freeBuffers());
    }
}
