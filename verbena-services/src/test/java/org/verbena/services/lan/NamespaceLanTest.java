package org.verbena.services.lan;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.link.frame.FramePort;
import org.verbena.link.frame.PacketPort;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.Seed;

/**
 * Real programs between two network namespaces, through the split driver over RoCEv2. Needs root, {@code /dev/net/tun}, {@code ip}, {@code ping}, {@code iperf3} and
 * {@code curl}; is skipped without.
 *
 * <p>{@code -Dverbena.lan.bytes=N} sets the bytes of the file by HTTP, {@code -Dverbena.lan.pings=true} has {@code ping} send every size.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
final class NamespaceLanTest {
    private static final int JUMBO = 9000;
    private static final long FILE_BYTES = Long.getLong("verbena.lan.bytes", 1 << 30);
    private static final boolean EVERY_PING = Boolean.getBoolean("verbena.lan.pings");
    private static final long TRANSFER_BYTES = 24 << 20;

    private static NamespaceStand jumboStand() throws Exception {
        return new NamespaceStand(options -> options.withMtu(JUMBO), options -> options, link -> link);
    }

    private static NamespaceStand stand(boolean hostOffloads, boolean unitOffloads) throws Exception {
        return new NamespaceStand(
                options -> options.withOffloads(hostOffloads),
                options -> options.withOffloads(unitOffloads),
                link -> link);
    }

    /** A shell script that pings with each of the sizes and fails with the first one that has no answer. */
    private static void ping(NetworkNamespace from, String address, IntStream sizes) throws Exception {
        String list = sizes.mapToObj(Integer::toString).reduce("", (all, size) -> all + " " + size);
        String script = "for size in " + list + "; do ping -q -n -c 1 -W 20 -s $size " + address
                + " > /dev/null || { ping -n -c 1 -W 20 -s $size " + address + "; echo size $size; exit 1; }; done";
        from.run("bash", "-c", script).succeeded();
    }

    private static void ping(NamespaceStand stand) throws Exception {
        ping(stand.hostSide, NamespaceStand.LAN_IPV4, IntStream.of(56));
        ping(stand.lanSide, NamespaceStand.HOST_IPV6, IntStream.of(56));
    }

    private static IntStream pingSizes() {
        if (EVERY_PING) {
            return IntStream.rangeClosed(0, JUMBO);
        }
        IntStream edges = IntStream.of(
                0, 1, 7, 8, 15, 16, 55, 56, 57, 1452, 1453, 1472, 1473, 1991, 1992, 2038, 8951, 8952, 8953, 8971, 8972,
                8973, 9000);
        return IntStream.concat(edges, IntStream.rangeClosed(1, 36).map(i -> i * 241));
    }

    @ParameterizedTest
    @ValueSource(strings = {NamespaceStand.LAN_IPV4, NamespaceStand.LAN_IPV6})
    void pingsOfSizesUpToJumboFramesAreAnswered(String address) throws Exception {
        try (NamespaceStand stand = jumboStand()) {
            assertEquals(JUMBO, stand.hostTap.mtu());
            ping(stand.hostSide, address, pingSizes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {NamespaceStand.LAN_IPV4, NamespaceStand.LAN_IPV6})
    void datagramsOfEverySizeComeBackUnchanged(String address) throws Exception {
        try (NamespaceStand stand = jumboStand();
                DatagramChannel echo = NamespaceTraffic.datagramEcho(stand.lanSide, address)) {
            NamespaceTraffic.echoEverySize(stand.hostSide, address, JUMBO, 16);
            assertTrue(echo.isOpen());
            assertEquals(0, stand.statistic(LanCounter.TX_DROPPED));
        }
    }

    @Test
    void linkLocalAddressesOfIpv6AreReached() throws Exception {
        try (NamespaceStand stand = new NamespaceStand()) {
            String shown = stand.lanSide.ip("-6", "address", "show", "dev", NamespaceStand.TAP, "scope", "link");
            Matcher found = Pattern.compile("inet6 (fe80:[0-9a-f:]+)").matcher(shown);
            assertTrue(found.find(), shown);
            ping(stand.hostSide, found.group(1) + "%" + NamespaceStand.TAP, IntStream.of(0, 56, 1452, 1453, 9000));
        }
    }

    // --- programs

    /** A number of the last block with this name: that of the whole run. */
    private static long field(String json, String block, String name) {
        int from = json.lastIndexOf("\"" + block + "\":");
        Matcher found = Pattern.compile("\"" + name + "\":\\s*([0-9]+)").matcher(json);
        assertTrue(from >= 0 && found.find(from), () -> "no " + name + " of " + block + " in " + json);
        return Long.parseLong(found.group(1));
    }

    private static String iperf(NamespaceStand stand, String... more) throws Exception {
        Process server = stand.lanSide.start("iperf3", "-s", "-1", "--forceflush", "-B", NamespaceStand.LAN_IPV4);
        StringBuilder printed = new StringBuilder();
        while (printed.indexOf("Server listening") < 0) {
            int next = server.getInputStream().read();
            assertTrue(next >= 0, () -> "the server has ended: " + printed);
            printed.append((char) next);
        }
        String[] command = {"iperf3", "-J", "-t", "2", "-c", NamespaceStand.LAN_IPV4};
        String[] whole = java.util.Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, whole, command.length, more.length);
        String json = stand.hostSide.run(whole).succeeded();
        NetworkNamespace.outcome(server, "iperf3", "-s").succeeded();
        return json;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void iperfSendsByTcp(boolean backwards) throws Exception {
        try (NamespaceStand stand = new NamespaceStand()) {
            String json = backwards ? iperf(stand, "-R") : iperf(stand);
            long bytes = field(json, "sum_received", "bytes");
            assertTrue(bytes > 0, json);
            System.out.println("iperf3 TCP, backwards " + backwards + ": " + (bytes * 8 / 2_000_000) + " Mbit/s");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void iperfSendsByUdp(boolean backwards) throws Exception {
        try (NamespaceStand stand = new NamespaceStand()) {
            String json = backwards ? iperf(stand, "-u", "-b", "50M", "-R") : iperf(stand, "-u", "-b", "50M");
            long packets = field(json, "sum", "packets");
            long lost = field(json, "sum", "lost_packets");
            assertTrue(field(json, "sum", "bytes") > 0, json);
            assertTrue(lost < packets, () -> lost + " of " + packets + " lost");
            System.out.println("iperf3 UDP, backwards " + backwards + ": " + lost + " of " + packets + " lost");
        }
    }

    @Test
    void aFileByHttpHasTheRightChecksum() throws Exception {
        try (NamespaceStand stand = new NamespaceStand()) {
            long startNs = System.nanoTime();
            NamespaceTraffic.fetch(stand.hostSide, stand.lanSide, NamespaceStand.LAN_IPV4, FILE_BYTES);
            System.out.println(FILE_BYTES + " bytes by HTTP in " + (System.nanoTime() - startNs) / 1_000_000 + " ms");
        }
    }

    @Test
    void aThousandConnectionsAtOnceEcho() throws Exception {
        try (NamespaceStand stand = new NamespaceStand()) {
            NamespaceTraffic.connectMany(stand.hostSide, stand.lanSide, NamespaceStand.LAN_IPV4, 1000);
        }
    }

    // --- a bad network between host and unit

    @Test
    void lossAndReorderingBetweenHostAndUnitAreNotNoticed() throws Exception {
        List<LossyLink> links = new ArrayList<>();
        LinkFaults faults = new LinkFaults(0.01, 0.01, 0.02, 0.005);
        try (NamespaceStand stand = new NamespaceStand(options -> options, options -> options, link -> {
            links.add(new LossyLink(link, new Seed(7 + links.size()), LinkFaults.NONE, faults));
            return links.getLast();
        })) {
            ping(stand.hostSide, NamespaceStand.LAN_IPV4, IntStream.of(0, 56, 1472, 4000, 9000));
            NamespaceTraffic.fetch(stand.hostSide, stand.lanSide, NamespaceStand.LAN_IPV4, TRANSFER_BYTES);
            NamespaceTraffic.fetch(stand.lanSide, stand.hostSide, NamespaceStand.HOST_IPV6, TRANSFER_BYTES);
            assertEquals("", stand.host.failure());
        }
        assertEquals(2, links.size());
        for (LossyLink link : links) {
            assertTrue(link.dropped() > 0 && link.reordered() > 0 && link.corrupted() > 0, link.name());
        }
    }

    // --- offloads, tags

    @ParameterizedTest
    @CsvSource({"true,true", "false,true", "true,false", "false,false"})
    void largeFramesCrossOnceWithOffloadsAndNeverWithout(boolean hostOffloads, boolean unitOffloads) throws Exception {
        boolean both = hostOffloads && unitOffloads;
        try (NamespaceStand stand = stand(hostOffloads, unitOffloads)) {
            LanCounters counters = stand.host.counters();
            assertEquals(both, stand.hostTap.offloads());
            NamespaceTraffic.fetch(stand.lanSide, stand.hostSide, NamespaceStand.HOST_IPV4, TRANSFER_BYTES);
            long sent = counters.value(LanCounter.TX_BYTES) / counters.value(LanCounter.TX_PACKETS);
            assertEquals(both, sent > 1514, () -> "bytes of a frame of the host: " + sent);
            long receivedBefore = counters.value(LanCounter.RX_BYTES);
            long framesBefore = counters.value(LanCounter.RX_PACKETS);
            NamespaceTraffic.fetch(stand.hostSide, stand.lanSide, NamespaceStand.LAN_IPV6, TRANSFER_BYTES);
            long received = (counters.value(LanCounter.RX_BYTES) - receivedBefore)
                    / (counters.value(LanCounter.RX_PACKETS) - framesBefore);
            assertEquals(both, received > 1514, () -> "bytes of a frame of the unit: " + received);
            assertEquals(0, stand.statistic(LanCounter.TX_SEGMENTED));
        }
    }

    @ParameterizedTest
    @CsvSource({"true,true", "false,true", "false,false"})
    void framesKeepTheirVlanTags(boolean hostOffloads, boolean unitOffloads) throws Exception {
        try (NamespaceStand stand = stand(hostOffloads, unitOffloads);
                FramePort atHost = stand.hostSide.call(() -> PacketPort.open(NamespaceStand.TAP));
                FramePort atLan = stand.lanSide.call(() -> PacketPort.open(NamespaceStand.TAP))) {
            long host = stand.hostTap.macAddress();
            long lan = stand.lanTap.macAddress();
            for (int payloadBytes : new int[] {46, 1496}) {
                awaitCrossing(atHost, atLan, tagged(lan, host, payloadBytes));
                awaitCrossing(atLan, atHost, tagged(host, lan, payloadBytes));
            }
            assertEquals(0, stand.statistic(LanCounter.TX_DROPPED));
        }
    }

    /** A frame of VLAN 5 with priority 3. */
    private static byte[] tagged(long destination, long source, int payloadBytes) {
        byte[] plain = LanStand.frame(destination, source, 77, payloadBytes);
        return ByteBuffer.allocate(plain.length + 4)
                .put(plain, 0, 12)
                .putShort((short) 0x8100)
                .putShort((short) 0x6005)
                .put(plain, 12, plain.length - 12)
                .array();
    }

    private static void awaitCrossing(FramePort from, FramePort to, byte[] frame) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sent = arena.allocateFrom(JAVA_BYTE, frame);
            MemorySegment received = arena.allocate(FramePort.FRAME_BYTES_MAX);
            NamespaceStand.await("frame of " + frame.length + " bytes with a VLAN tag", () -> {
                from.send(sent, 0, frame.length);
                boolean crossed = false;
                for (int length = receive(to, received); length != 0; length = receive(to, received)) {
                    crossed |= received.asSlice(0, length).mismatch(sent) == -1;
                }
                return crossed;
            });
        }
    }

    private static int receive(FramePort port, MemorySegment into) {
        return port.receive(into, 0, FramePort.FRAME_BYTES_MAX);
    }

    // --- failures

    @Test
    void theHostLosesItsCarrierWithTheLan() throws Exception {
        try (NamespaceStand stand = new NamespaceStand()) {
            ping(stand);
            stand.lanSide.ip("link", "set", NamespaceStand.TAP, "down");
            stand.awaitCarrier(false);
            assertEquals(HostState.UP, stand.host.state());
            stand.lanSide.ip("link", "set", NamespaceStand.TAP, "up");
            stand.awaitCarrier(true);
            ping(stand.hostSide, NamespaceStand.LAN_IPV4, IntStream.of(56));
        }
    }

    @Test
    void aUnitThatIsOpenedAgainIsUsedByTheSameHost() throws Exception {
        try (NamespaceStand stand = new NamespaceStand()) {
            ping(stand);
            stand.closeUnit();
            stand.awaitCarrier(false);
            assertFalse(stand.host.failure().isEmpty());
            stand.reopenUnit();
            stand.awaitUp();
            ping(stand);
            NamespaceTraffic.fetch(stand.hostSide, stand.lanSide, NamespaceStand.LAN_IPV4, TRANSFER_BYTES);
        }
    }
}
