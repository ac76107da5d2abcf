package org.verbena.link.udp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.link.contract.CaptureFile;
import org.verbena.link.support.SourcePorts;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Ipv6;
import org.verbena.wire.pcap.PcapReader;

/**
 * Two network namespaces with a wire between them that cannot segment: what the kernel really puts on it, seen by dumpcap, against what the
 * sender's link promised and what the receiver's link tells. Needs root, {@code ip} and {@code dumpcap}; is skipped without.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class NamespaceTest {
    private static final int COUNT = NamespacePeer.EACH * NamespacePeer.TARGETS;

    private final String sender = "verbena-s" + ProcessHandle.current().pid();
    private final String receiver = "verbena-r" + ProcessHandle.current().pid();
    private final List<Process> started = new ArrayList<>();

    @TempDir
    private java.nio.file.Path directory;

    @AfterEach
    void tidyUp() throws IOException, InterruptedException {
        started.forEach(Process::destroyForcibly);
        for (String namespace : List.of(sender, receiver)) {
            succeeds("ip", "netns", "del", namespace);
        }
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void ip(String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        assertTrue(succeeds(command.toArray(String[]::new)), "failed: " + command);
    }

    private void layWire() throws InterruptedException {
        assumeTrue(succeeds("dumpcap", "--version"), "dumpcap is not installed");
        assumeTrue(succeeds("ip", "netns", "add", sender), "network namespaces cannot be made here");
        ip("netns", "add", receiver);
        ip("-n", sender, "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", receiver);
        setUp(sender, NamespacePeer.SENDER_4, NamespacePeer.SENDER_6);
        setUp(receiver, NamespacePeer.RECEIVER_4.address().getHostAddress(), "fd91::2");
    }

    private static void setUp(String namespace, String ipv4, String ipv6) throws InterruptedException {
        // One segment at most: the kernel has to cut runs apart before this wire.
        ip("-n", namespace, "link", "set", "wire", "gso_max_segs", "1");
        ip("-n", namespace, "address", "add", ipv4 + "/24", "dev", "wire");
        ip("-n", namespace, "address", "add", ipv6 + "/64", "dev", "wire", "nodad");
        ip("-n", namespace, "link", "set", "wire", "up");
    }

    private Process start(String namespace, String... program) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        command.addAll(List.of(program));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private Process startPeer(String namespace, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java")
                        .toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                java.nio.file.Path.of("target/classes").toAbsolutePath() + ":"
                        + java.nio.file.Path.of("target/test-classes").toAbsolutePath(),
                NamespacePeer.class.getName()));
        command.addAll(List.of(arguments));
        return start(namespace, command.toArray(String[]::new));
    }

    /** Reads on until a line with this in it. */
    private static String await(Process process, String text) throws IOException {
        BufferedReader reader = process.inputReader(UTF_8);
        StringBuilder seen = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.contains(text)) {
                return line;
            }
            seen.append(line).append('\n');
        }
        throw new AssertionError("\"" + text + "\" expected, found:\n" + seen);
    }

    @Test
    void theWireCarriesWhatTheLinksSay() throws IOException, InterruptedException {
        layWire();
        java.nio.file.Path wire = directory.resolve("wire.pcap");
        java.nio.file.Path ours = directory.resolve("ours.pcapng");
        Process dumpcap = start(
                receiver,
                "dumpcap",
                "-P",
                "-i",
                "wire",
                "-f",
                "udp port 4791",
                "-c",
                "" + COUNT,
                "-w",
                wire.toString());
        await(dumpcap, "File:");
        Process receiving = startPeer(receiver, "receive", ours.toString());
        await(receiving, "ready");
        Process sending = startPeer(sender, "send");
        String complaints = new String(sending.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, sending.waitFor(), complaints);
        String told = await(receiving, "received");
        assertTrue(told.startsWith("received " + COUNT + ","), told);
        assertEquals(0, receiving.waitFor());
        dumpcap.waitFor();

        List<MemorySegment> seen = packets(wire);
        List<MemorySegment> captured = CaptureFile.frames(ours);
        assertEquals(COUNT, seen.size());
        for (Endpoint target : List.of(
                NamespacePeer.RECEIVER_4, NamespacePeer.RECEIVER_6, NamespacePeer.GROUP_4, NamespacePeer.GROUP_6)) {
            expect(target, toTarget(seen, target));
            expect(target, toTarget(captured, target));
        }
    }

    private static List<MemorySegment> packets(java.nio.file.Path file) throws IOException {
        PcapReader reader = new PcapReader(MemorySegment.ofArray(Files.readAllBytes(file)));
        List<MemorySegment> frames = new ArrayList<>();
        while (reader.next()) {
            frames.add(reader.frame());
        }
        return frames;
    }

    private static List<MemorySegment> toTarget(List<MemorySegment> frames, Endpoint target) {
        return frames.stream()
                .filter(frame -> {
                    RoceFrame read = RoceFrame.read(frame);
                    assertNotNull(read);
                    Ipv6 ipv6 = read.ipv6();
                    Ipv4 ipv4 = read.ipv4();
                    return ipv6 != null
                            ? ipv6.targetHigh() == target.high() && ipv6.targetLow() == target.low()
                            : ipv4 != null && Endpoint.mapped(ipv4.target()) == target.low();
                })
                .toList();
    }

    /** Marks, source port, identifications and CRC of the frames to a target are as they must be. */
    private static void expect(Endpoint target, List<MemorySegment> frames) {
        assertEquals(NamespacePeer.EACH, frames.size(), "frames to " + target);
        LinkFlow flow = NamespacePeer.flow(target);
        List<Integer> identifications = new ArrayList<>();
        for (MemorySegment frame : frames) {
            RoceFrame read = RoceFrame.read(frame);
            assertNotNull(read);
            Ipv4 ipv4 = read.ipv4();
            Ipv6 ipv6 = read.ipv6();
            if (ipv4 != null) {
                identifications.add(ipv4.identification());
                assertEquals(Ipv4.DO_NOT_FRAGMENT, ipv4.fragment());
                assertEquals(flow.trafficClass(), ipv4.trafficClass());
                assertEquals(flow.hopLimit(), ipv4.timeToLive());
            } else if (ipv6 != null) {
                assertEquals(flow.trafficClass(), ipv6.trafficClass());
                assertEquals(flow.hopLimit(), ipv6.hopLimit());
            }
            assertEquals(SourcePorts.of(flow), read.udp().sourcePort());
            assertEquals(
                    expectedMac(target),
                    read.ethernet().target() >>> 24 << 24 == 0x01_00_5e_00_00_00L
                            || read.ethernet().target() >>> 32 == 0x3333);
            ByteBuffer direct = ByteBuffer.allocateDirect((int) frame.byteSize());
            MemorySegment.ofBuffer(direct).copyFrom(frame);
            assertEquals(
                    Icrc.read(frame, read.packetAt() + read.packetLength() - Icrc.LENGTH),
                    read.icrc(new Icrc(), direct),
                    "CRC of a frame to " + target);
        }
        if (!target.ipv6()) {
            // Two runs, of 12 and of 8 packets.
            assertEquals(
                    IntStream.concat(IntStream.range(0, 12), IntStream.range(0, 8))
                            .boxed()
                            .toList(),
                    identifications);
        }
    }

    private static boolean expectedMac(Endpoint target) {
        return target.address().isMulticastAddress();
    }
}
