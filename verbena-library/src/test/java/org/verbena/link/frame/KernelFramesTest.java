package org.verbena.link.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.verbena.link.LinkException;
import org.verbena.link.sleep.RunnerSleeper;

/** Frames of a real kernel, in network namespaces. Needs root, {@code ip} and {@code /dev/net/tun}; is skipped without. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class KernelFramesTest {
    private static final int OTHER = 0x0a4d_0002; // 10.77.0.2
    private static final int BYTES = 8 << 20;

    private final java.util.List<Namespace> namespaces = new java.util.ArrayList<>();

    private Namespace namespace() throws Exception {
        Namespace made = new Namespace();
        namespaces.add(made);
        return made;
    }

    @AfterEach
    void leave() {
        namespaces.forEach(Namespace::close);
    }

    private static void addTagged(Namespace namespace, String lower, String name, int tag) throws Exception {
        int code = namespace.tryIp("link", "add", "link", lower, "name", name, "type", "vlan", "id", "" + tag);
        assumeTrue(code == 0, "the kernel has no VLAN interfaces");
    }

    /** Waits until the kernel has noticed a change of the carrier: a thread of its own tells it to the interface. */
    private static void awaitUp(FramePort port, boolean up) throws InterruptedException {
        for (int i = 0; i < 2_000 && port.isUp() != up; i++) {
            Thread.sleep(10);
        }
        assertEquals(up, port.isUp());
    }

    private static Process ping(Namespace from, int bytes) throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/ping")) || Files.exists(Path.of("/bin/ping")), "ping is not installed");
        return from.start("ping", "-c", "3", "-i", "0.1", "-W", "20", "-s", "" + bytes, "10.77.0.2");
    }

    private static String printed(Process process) throws Exception {
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void aMachineBehindATapAnswersToPing() throws Exception {
        Namespace namespace = namespace();
        try (FramePort tap = namespace.tap("verb%d")) {
            assertEquals("verb0", tap.name());
            namespace.ip("address", "add", "10.77.0.1/24", "dev", tap.name());
            Responder other = new Responder(tap, OTHER);
            Process ping = ping(namespace, 1000);
            assertEquals(0, other.serve(ping), () -> "" + tap.counters());
            assertTrue(printed(ping).contains("3 received"));
            assertTrue(other.arpRequests > 0);
            assertEquals(3, other.pings);
            assertEquals(1042, other.longest);
        }
    }

    @Test
    void aPacketPortSeesAndSendsVlanTags() throws Exception {
        Namespace namespace = namespace();
        namespace.ip("link", "add", "near", "type", "veth", "peer", "name", "far");
        namespace.ip("link", "set", "near", "up");
        namespace.ip("link", "set", "far", "up");
        addTagged(namespace, "far", "far.5", 5);
        namespace.ip("address", "add", "10.77.0.1/24", "dev", "far.5");
        namespace.ip("link", "set", "far.5", "up");
        try (FramePort port = namespace.call(() -> PacketPort.open("near"))) {
            Responder other = new Responder(port, OTHER);
            Process ping = ping(namespace, 1472);
            assertEquals(0, other.serve(ping), () -> "" + port.counters());
            assertEquals(3, other.pings);
            assertEquals(5, other.lastTag);
            assertTrue(other.tagged >= 3);
            assertEquals(1518, other.longest);
        }
    }

    /** Sends bytes by TCP from one namespace to another one, both ways at once. */
    private static void transfer(Namespace client, Namespace server, String serverAddress) throws Exception {
        byte[] bytes = new byte[BYTES];
        new Random(7).nextBytes(bytes);
        try (ServerSocket listening = server.call(() -> new ServerSocket());
                Socket socket = client.call(() -> new Socket())) {
            // The JDK makes a socket of the system when it is bound.
            server.call(() -> {
                listening.bind(new InetSocketAddress(serverAddress, 5001));
                return 0;
            });
            client.call(() -> {
                socket.connect(new InetSocketAddress(serverAddress, 5001), 30_000);
                return 0;
            });
            try (Socket accepted = listening.accept()) {
                Thread there = send(accepted, bytes);
                Thread here = send(socket, bytes);
                byte[] atServer = read(accepted, server);
                byte[] atClient = read(socket, client);
                there.join();
                here.join();
                assertTrue(Arrays.equals(bytes, atServer));
                assertTrue(Arrays.equals(bytes, atClient));
            }
        }
    }

    private static byte[] read(Socket socket, Namespace in) throws Exception {
        return in.call(() -> socket.getInputStream().readNBytes(BYTES));
    }

    private static Thread send(Socket socket, byte[] bytes) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
            } catch (java.io.IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static FramePort tap(Namespace namespace, String address, boolean offloads) throws Exception {
        FramePort tap = namespace.tap("tap0");
        tap.offloads(offloads);
        namespace.ip("address", "add", address + "/24", "dev", "tap0");
        return tap;
    }

    @Test
    void withOffloadsTcpCrossesTwoTapsInLargeFrames() throws Exception {
        Namespace one = namespace();
        Namespace two = namespace();
        FramePort left = tap(one, "10.77.0.1", true);
        FramePort right = tap(two, "10.77.0.2", true);
        try (FrameBridge bridge = new FrameBridge(left, right)) {
            transfer(one, two, "10.77.0.2");
            assertTrue(bridge.large() > 0, "frames with a kind of segmentation");
            assertTrue(bridge.longest() > 20_000, "longest " + bridge.longest());
            assertEquals(0, left.counters().sendDropped() + right.counters().sendDropped());
        }
    }

    @Test
    void withoutOffloadsNoFrameIsLongerThanTheMtu() throws Exception {
        Namespace one = namespace();
        Namespace two = namespace();
        FramePort left = tap(one, "10.77.0.1", false);
        FramePort right = tap(two, "10.77.0.2", false);
        try (FrameBridge bridge = new FrameBridge(left, right)) {
            transfer(one, two, "10.77.0.2");
            assertEquals(1514, bridge.longest());
            assertEquals(0, left.counters().receiveTooLong());
        }
    }

    /** A veth pair passes partial checksums and large segments; the kernel behind the TAP drops a frame whose checksum is wrong. */
    private void crossPacketPort(boolean offloads, int tag) throws Exception {
        crossPacketPort(offloads, tag, "10.77.0.1/24", "10.77.0.2");
    }

    private void crossPacketPort(boolean offloads, int tag, String client, String server) throws Exception {
        Namespace one = namespace();
        Namespace two = namespace();
        two.ip("link", "add", "near", "type", "veth", "peer", "name", "far");
        two.ip("link", "set", "near", "up");
        two.ip("link", "set", "far", "up");
        String far = tag == 0 ? "far" : "far.x";
        FramePort left = one.tap("tap0");
        left.offloads(offloads);
        String near = tag == 0 ? "tap0" : "tap0.x";
        if (tag != 0) {
            addTagged(two, "far", "far.x", tag);
            two.ip("link", "set", "far.x", "up");
            addTagged(one, "tap0", "tap0.x", tag);
            one.ip("link", "set", "tap0.x", "up");
        }
        String prefix = client.substring(client.indexOf('/'));
        one.allowIpv6(near);
        two.allowIpv6(far);
        one.ip("address", "add", client, "dev", near, "nodad");
        two.ip("address", "add", server + prefix, "dev", far, "nodad");
        FramePort right = two.call(() -> PacketPort.open("near"));
        right.offloads(offloads);
        try (FrameBridge bridge = new FrameBridge(left, right)) {
            transfer(one, two, server);
            if (offloads) {
                assertTrue(bridge.longest() > 20_000, "longest " + bridge.longest());
            } else {
                assertEquals(tag == 0 ? 1514 : 1518, bridge.longest());
            }
            assertEquals(0, right.counters().receiveMalformed());
        }
    }

    @Test
    void aPacketPortWithoutOffloadsCutsLargeFrames() throws Exception {
        crossPacketPort(false, 0);
    }

    @Test
    void aPacketPortWithoutOffloadsCutsLargeFramesOfIpv6() throws Exception {
        crossPacketPort(false, 0, "fd77::1/64", "fd77::2");
    }

    @Test
    void aPacketPortWithOffloadsPassesLargeFramesOfIpv6() throws Exception {
        crossPacketPort(true, 0, "fd77::1/64", "fd77::2");
    }

    @Test
    void aPacketPortWithoutOffloadsCutsLargeFramesWithATag() throws Exception {
        crossPacketPort(false, 9);
    }

    @Test
    void aPacketPortWithOffloadsPassesLargeFrames() throws Exception {
        crossPacketPort(true, 0);
    }

    @Test
    void aPacketPortWithOffloadsPassesLargeFramesWithATag() throws Exception {
        crossPacketPort(true, 9);
    }

    @Test
    void aTapHasTheSettingsThatItIsGiven() throws Exception {
        Namespace namespace = namespace();
        FramePort tap = namespace.tap("tap0");
        awaitUp(tap, true);
        tap.macAddress(0x02_11_22_33_44_55L);
        assertEquals(0x02_11_22_33_44_55L, tap.macAddress());
        tap.mtu(9216);
        assertEquals(9216, tap.mtu());
        tap.carrier(false);
        awaitUp(tap, false);
        tap.carrier(true);
        awaitUp(tap, true);
        namespace.ip("link", "set", "tap0", "down");
        awaitUp(tap, false);
        MemorySegment memory = Arena.ofAuto().allocate(100);
        assertFalse(tap.send(memory, 0, 60), "the interface is down");
        assertEquals(1, tap.counters().sendDropped());
        tap.close();
        assertTrue(namespace.tryIp("link", "show", "tap0") != 0, "gone with its port");
    }

    @Test
    void aTapThatWasMovedToAnotherNamespaceAndRenamedObeysItsPort() throws Exception {
        Namespace first = namespace();
        Namespace second = namespace();
        try (FramePort tap = first.tap("tap0")) {
            Process resident = second.start("sleep", "600");
            try {
                first.ip("link", "set", "tap0", "netns", Long.toString(resident.pid()), "name", "card0");
                second.ip("link", "set", "card0", "up");
                awaitUp(tap, true);
                tap.mtu(9000);
                assertEquals(9000, tap.mtu());
                second.ip("link", "set", "card0", "mtu", "1400");
                assertEquals(1400, tap.mtu());
                tap.macAddress(0x02_11_22_33_44_66L);
                assertEquals(0x02_11_22_33_44_66L, tap.macAddress());
                assertTrue(first.tryIp("link", "show", "tap0") != 0, "it is not where it was");
                first.ip("link", "show", "lo"); // the thread of the port is in its own namespace
            } finally {
                resident.destroy();
            }
        }
    }

    @Test
    void aPersistentTapStays() throws Exception {
        Namespace namespace = namespace();
        namespace.tap("tap1").close();
        namespace.ip("tuntap", "add", "dev", "tap0", "mode", "tap");
        namespace.tap("tap0").close();
        namespace.ip("link", "show", "tap0");
    }

    @Test
    void aPacketPortDropsFramesWhileItsInterfaceIsDown() throws Exception {
        Namespace namespace = namespace();
        namespace.ip("link", "add", "near", "type", "veth", "peer", "name", "far");
        MemorySegment memory = Arena.ofAuto().allocate(100);
        try (FramePort port = namespace.call(() -> PacketPort.open("near"))) {
            assertFalse(port.isUp());
            assertFalse(port.send(memory, 0, 60));
            namespace.ip("link", "set", "near", "up");
            assertFalse(port.isUp(), "without a carrier");
            namespace.ip("link", "set", "far", "up");
            awaitUp(port, true);
            assertTrue(port.send(memory, 0, 60));
            assertEquals(1, port.counters().sendDropped());
        }
    }

    @Test
    void aTapThatIsTakenAwayEndsNoSleepForEver() throws Exception {
        Namespace namespace = namespace();
        MemorySegment memory = Arena.ofAuto().allocate(100);
        try (FramePort tap = namespace.tap("tap0");
                RunnerSleeper sleeper = new RunnerSleeper()) {
            sleeper.add(tap);
            namespace.ip("link", "del", "tap0");
            int slept = 0;
            for (int i = 0; i < 1000 && slept < 3; i++) {
                assertEquals(0, tap.receive(memory, 0, 100));
                slept += sleeper.sleep(1_000_000) ? 0 : 1;
            }
            assertEquals(3, slept);
            assertEquals(1, tap.counters().receiveErrors());
            assertFalse(tap.isUp());
            assertFalse(tap.send(memory, 0, 60));
        }
    }

    private static void assertRefused(Namespace namespace, java.util.concurrent.Callable<FramePort> open, String why) {
        String message =
                assertThrows(LinkException.class, () -> namespace.call(open)).getMessage();
        assertNotNull(message);
        assertTrue(message.contains(why), message);
    }

    @Test
    void errorsNameTheirReason() throws Exception {
        Namespace namespace = namespace();
        try (FramePort tap = namespace.tap("a-name-of-15-by")) {
            assertEquals("a-name-of-15-by", tap.name());
            assertRefused(namespace, () -> TapPort.open(tap.name()), "in use");
        }
        assertRefused(namespace, () -> TapPort.open("a-name-of-16-byt"), "at most 15");
        assertRefused(namespace, () -> TapPort.open("lo"), "no TAP interface");
        assertRefused(namespace, () -> PacketPort.open("lo"), "no Ethernet interface");
        assertRefused(namespace, () -> PacketPort.open("missing"), "no interface missing");
        assertRefused(namespace, () -> PacketPort.open("a-name-of-16-byt"), "at most 15");
    }
}
