package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.verbena.services.ethernet.Promiscuity;
import org.verbena.services.ethernet.Switch;
import org.verbena.services.lan.wire.AttachReply;
import org.verbena.services.lan.wire.AttachRequest;
import org.verbena.services.lan.wire.ConfigFields;
import org.verbena.services.lan.wire.FilterRequest;
import org.verbena.services.lan.wire.LanOperation;
import org.verbena.services.lan.wire.LanStatus;
import org.verbena.services.lan.wire.StatisticsPage;
import org.verbena.services.push.ServiceReply;
import org.verbena.time.Seed;

/** The unit's answers to configuration requests, without a connection. */
final class UnitConfigurationTest {
    private static final long A = 0x0200_0000_000aL;
    private static final long B = 0x0200_0000_000bL;

    private final Switch fabric = new Switch(2, false, Promiscuity.LAN, 1);
    private final MemorySegment memory = MemorySegment.ofArray(new byte[4096]);
    private final Reply reply = new Reply();
    private UnitOptions options = UnitOptions.at(new InetSocketAddress(0)).withHosts(2, 128, 16);
    private long old;
    private final UnitConfiguration host = new UnitConfiguration(new Unit());
    private final UnitConfiguration other = new UnitConfiguration(new Unit());

    /** A unit without connections. */
    private final class Unit implements UnitConfiguration.Owner {
        @Override
        public UnitOptions options() {
            return options;
        }

        @Override
        public Switch fabric() {
            return fabric;
        }

        @Override
        public boolean isLanUp() {
            return true;
        }

        @Override
        public int mtuMax() {
            return 4000;
        }

        @Override
        public long newAddress() {
            return 0x0200_0000_00ffL;
        }

        @Override
        public void endOld(long identity) {
            if (identity == old) {
                other.detach();
            }
        }

        @Override
        public UnitHost attach(int port, AttachRequest request, long address, int mtu, boolean offloads) {
            return new UnitHost(port, request.name(), request.identity(), offloads, address, mtu, new Nowhere(), 16);
        }
    }

    /** Takes no frame. */
    private static final class Nowhere implements FrameOutlet {
        @Override
        public int bytesMax() {
            return 0;
        }

        @Override
        public int underWay() {
            return 0;
        }

        @Override
        public boolean push(int slot, int length) {
            return false;
        }
    }

    /** The data of a reply. */
    private static final class Reply implements ServiceReply {
        private final MemorySegment bytes = MemorySegment.ofArray(new byte[1000]);
        private int length;
        private int room = 500;

        @Override
        public MemorySegment memory() {
            return bytes;
        }

        @Override
        public long offset() {
            return 9;
        }

        @Override
        public int room() {
            return room;
        }

        @Override
        public void length(int count) {
            assertTrue(count <= room);
            length = count;
        }
    }

    private int ask(UnitConfiguration of, int operation, int length) {
        reply.length(0);
        return of.onRequest(operation, memory, 0, length, reply);
    }

    private int attach(UnitConfiguration of, long address, int mtu) {
        return ask(of, LanOperation.ATTACH, new AttachRequest(true, mtu, address, 1, "kiwi").write(memory, 0));
    }

    private int address(UnitConfiguration of, int operation, long address) {
        return ask(of, operation, ConfigFields.writeAddress(memory, 0, address));
    }

    private void assertRefused(int expected, int status, String reason) {
        assertEquals(expected, status);
        String text = ConfigFields.readReason(reply.bytes, 9, reply.length);
        assertTrue(text.contains(reason), text);
    }

    @Test
    void anAttachedHostGetsTheLowerMtuAndItsAddress() {
        assertEquals(LanStatus.OK, attach(host, A, 9000));
        assertEquals(new AttachReply(true, true, 4000, A, "unit"), AttachReply.read(reply.bytes, 9, reply.length));
        assertRefused(LanStatus.WRONG_STATE, attach(host, A, 9000), "attached already");
        options = options.withOffloads(false);
        assertEquals(LanStatus.OK, attach(other, 0, 1500));
        assertEquals(
                new AttachReply(false, true, 1500, 0x0200_0000_00ffL, "unit"),
                AttachReply.read(reply.bytes, 9, reply.length));
    }

    @Test
    void aHostThatCannotBeAttachedLeavesNothingBehind() {
        assertRefused(LanStatus.MALFORMED, ask(host, LanOperation.ATTACH, 5), "5 bytes of ATTACH");
        assertRefused(LanStatus.OUT_OF_RANGE, attach(host, A, 67), "an MTU 68 … 4000 expected; found 67");
        assertRefused(LanStatus.OUT_OF_RANGE, attach(host, 0x0100_0000_0001L, 1500), "01:00:00:00:00:01");
        assertRefused(LanStatus.WRONG_STATE, ask(host, LanOperation.RESET, 0), "not attached");
        assertEquals(LanStatus.OK, attach(other, A, 1500));
        assertRefused(LanStatus.ADDRESS_IN_USE, attach(host, A, 1500), "another host has the address");
        assertNull(host.host());
        options = options.withAddresses(false, false);
        assertRefused(LanStatus.NOT_PERMITTED, attach(host, B, 1500), "assigns addresses");
        assertEquals(LanStatus.OK, attach(host, 0, 1500), "the refused ones have no port");
        UnitConfiguration third = new UnitConfiguration(new Unit());
        assertRefused(LanStatus.TOO_MANY, attach(third, 0, 1500), "2 hosts already");
        other.detach();
        assertEquals(-1, fabric.ownerOf(A));
    }

    @Test
    void aHostThatConnectsAgainHasItsOldConnectionEndedFirst() {
        assertEquals(LanStatus.OK, attach(other, A, 1500));
        assertRefused(LanStatus.ADDRESS_IN_USE, attach(host, A, 1500), "another host has the address");
        old = 1;
        assertEquals(LanStatus.OK, attach(host, A, 1500));
        assertNull(other.host());
    }

    @Test
    void addressesAreChangedOrRefused() {
        attach(host, A, 1500);
        attach(other, B, 1500);
        assertRefused(LanStatus.ADDRESS_IN_USE, address(host, LanOperation.SET_MAC, B), "another host");
        assertEquals(1, fabric.ownerOf(A), "it keeps the address it has");
        assertRefused(LanStatus.ADDRESS_IN_USE, address(host, LanOperation.ADD_MAC, B), "another host");
        assertRefused(LanStatus.OUT_OF_RANGE, address(host, LanOperation.REMOVE_MAC, B), "does not have");
        assertRefused(LanStatus.OUT_OF_RANGE, address(host, LanOperation.REMOVE_MAC, A), "not removed");
        assertRefused(LanStatus.MALFORMED, ask(host, LanOperation.ADD_MAC, 7), "7 bytes");
        assertEquals(LanStatus.OK, address(host, LanOperation.ADD_MAC, A + 0x100));
        assertEquals(LanStatus.OK, address(host, LanOperation.SET_MAC, A + 0x200));
        assertEquals(-1, fabric.ownerOf(A));
        assertEquals(2, fabric.addresses(1).length);
        assertEquals(LanStatus.OK, ask(host, LanOperation.RESET, 0));
        assertEquals(1, fabric.ownerOf(A));
        assertEquals(1, fabric.addresses(1).length);
        for (int i = 1; i < Switch.ADDRESSES_MAX; i++) {
            assertEquals(LanStatus.OK, address(host, LanOperation.ADD_MAC, A + 0x1000 + i));
        }
        assertRefused(LanStatus.TOO_MANY, address(host, LanOperation.ADD_MAC, A + 2), "16 addresses already");
    }

    @Test
    void mtuAndFilterAreChangedOrRefused() {
        attach(host, A, 1500);
        UnitHost attached = host.host();
        assertNotNull(attached);
        assertEquals(LanStatus.OK, ask(host, LanOperation.SET_MTU, ConfigFields.writeNumber(memory, 0, 4000)));
        assertEquals(4000, attached.mtu);
        int tooLong = ConfigFields.writeNumber(memory, 0, 4001);
        assertRefused(LanStatus.OUT_OF_RANGE, ask(host, LanOperation.SET_MTU, tooLong), "68 … 4000");
        assertEquals(4000, attached.mtu);
        assertRefused(LanStatus.MALFORMED, ask(host, LanOperation.SET_MTU, 3), "SET_MTU");
        FilterRequest filter = FilterRequest.of(true, false, true, new long[] {0x0100_5e00_0001L}, new int[] {7});
        assertEquals(LanStatus.OK, ask(host, LanOperation.SET_FILTER, filter.write(memory, 0)));
        assertRefused(LanStatus.MALFORMED, ask(host, LanOperation.SET_FILTER, 7), "SET_FILTER");
        assertEquals(LanStatus.OK, ask(host, LanOperation.RESET, 0));
        assertEquals(1500, attached.mtu);
        assertRefused(LanStatus.UNKNOWN, ask(host, LanOperation.RESET + 1, 0), "found 0x109");
    }

    @Test
    void linkStateAndStatisticsAreTold() {
        attach(host, A, 1500);
        assertEquals(LanStatus.OK, ask(host, LanOperation.LINK_STATE, 0));
        assertEquals(1, ConfigFields.readNumber(reply.bytes, 9, reply.length));
        assertRefused(LanStatus.MALFORMED, ask(host, LanOperation.LINK_STATE, 2), "LINK_STATE");
        UnitHost attached = host.host();
        assertNotNull(attached);
        attached.counters.add(LanCounter.RX_PACKETS, 5);
        attached.counters.rxDropped(LanCounter.RX_NO_BUFFER);
        Map<String, Long> all = statistics();
        assertEquals(LanCounter.values().length, all.size());
        assertEquals(5, all.get("rx_packets"));
        assertEquals(1, all.get("rx_dropped"));
        assertEquals(1, all.get("rx_no_buffer"));
        assertEquals(LanStatus.OK, ask(host, LanOperation.RESET, 0));
        attached.counters.add(LanCounter.RX_PACKETS, 2);
        assertEquals(2, statistics().get("rx_packets"));
        assertEquals(7, attached.counters.value(LanCounter.RX_PACKETS), "metrics never go back");
    }

    private Map<String, Long> statistics() {
        reply.room = 200; // several pages
        Map<String, Long> all = new LinkedHashMap<>();
        for (int pages = 0; pages < 20; pages++) {
            assertEquals(
                    LanStatus.OK, ask(host, LanOperation.STATISTICS, ConfigFields.writeNumber(memory, 0, all.size())));
            StatisticsPage page = StatisticsPage.read(reply.bytes, 9, reply.length);
            assertNotNull(page);
            page.entries().forEach(entry -> all.put(entry.name(), entry.value()));
            if (all.size() == page.total()) {
                assertTrue(pages > 1);
                return all;
            }
        }
        return all;
    }

    @Test
    void noBytesCauseAnException() {
        Seed seed = new Seed(8);
        attach(host, A, 1500);
        for (int i = 0; i < 50_000; i++) {
            for (int j = 0; j < 40; j++) {
                memory.set(ValueLayout.JAVA_BYTE, j, (byte) (seed.chance(0.6) ? 0 : seed.nextInt()));
            }
            int operation = seed.chance(0.9) ? LanOperation.ATTACH + seed.nextInt(10) : seed.nextInt();
            int length = seed.chance(0.5) ? seed.nextInt(24) : seed.nextInt(600);
            int status = ask(seed.nextBoolean() ? host : other, operation, length);
            assertTrue(status >= LanStatus.OK && status <= LanStatus.NOT_PERMITTED);
        }
    }
}
