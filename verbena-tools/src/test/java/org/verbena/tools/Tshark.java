package org.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Udp;
import org.verbena.wire.pcap.PcapReader;

/** Wireshark's view of our captures. It does not look at the ICRC: that is checked here, by the frames it wrote again. */
public final class Tshark {
    private static final int HEADERS = Ethernet.LENGTH + Ipv4.LENGTH + Udp.LENGTH;

    private Tshark() {}

    public static boolean isInstalled() {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(place -> Files.isExecutable(Path.of(place, "tshark")));
    }

    /** The capture has at least this number of frames, each a well-formed RoCEv2 packet over IPv4 with a right ICRC. */
    public static void requireGood(Path capture, int atLeast) throws IOException, InterruptedException {
        Path copy = Path.of(capture + ".pcap");
        run("-r", capture.toString(), "-F", "nsecpcap", "-w", copy.toString());
        Set<Integer> ports = new HashSet<>();
        int frames = 0;
        PcapReader reader = new PcapReader(MemorySegment.ofArray(Files.readAllBytes(copy)));
        while (reader.next()) {
            ports.add(requireIcrc(reader.frame(), frames++));
        }
        assertTrue(frames >= atLeast, frames + " frames found, at least " + atLeast + " expected");
        assertEquals(1, ports.size(), "Wireshark knows one port for RoCEv2; found " + ports);
        String port = "infiniband.rroce.port:" + ports.iterator().next();
        List<String> lines = run(
                        "-r",
                        capture.toString(),
                        "-o",
                        port,
                        "--disable-protocol",
                        "rpcordma",
                        "-T",
                        "fields",
                        "-e",
                        "infiniband.bth.opcode",
                        "-e",
                        "_ws.malformed")
                .lines()
                .toList();
        assertEquals(frames, lines.size());
        lines.forEach(line -> assertTrue(line.strip().matches("\\d+"), () -> "an opcode expected; found " + line));
    }

    /** The capture has both frames of MPA, and at least this number of frames with segments of iWARP; none is malformed. */
    public static void requireIwarp(Path capture, int atLeast) throws IOException, InterruptedException {
        List<String> lines = run(
                        "-r",
                        capture.toString(),
                        "-T",
                        "fields",
                        "-e",
                        "frame.protocols",
                        "-e",
                        "iwarp_mpa.req",
                        "-e",
                        "iwarp_mpa.rep",
                        "-e",
                        "_ws.malformed")
                .lines()
                .toList();
        assertEquals(
                2,
                lines.stream()
                        .filter(line -> line.contains("iwarp_mpa") && !line.contains("iwarp_ddp"))
                        .count());
        long segments =
                lines.stream().filter(line -> line.contains("iwarp_ddp")).count();
        assertTrue(segments >= atLeast, segments + " frames with segments found, at least " + atLeast + " expected");
        lines.forEach(line -> assertTrue(!line.contains("Malformed"), line));
    }

    /** Answers the port it went to. */
    private static int requireIcrc(MemorySegment frame, int number) {
        Ipv4 ip = Ipv4.read(frame, Ethernet.LENGTH);
        Udp udp = Udp.read(frame, Ethernet.LENGTH + Ipv4.LENGTH);
        int length = udp.length() - Udp.LENGTH - Icrc.LENGTH;
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) frame.byteSize()).put(frame.toArray(ValueLayout.JAVA_BYTE));
        int computed = new Icrc()
                .compute(
                        bytes,
                        HEADERS,
                        length,
                        0,
                        mapped(ip.source()),
                        0,
                        mapped(ip.target()),
                        udp.sourcePort(),
                        udp.targetPort(),
                        ip.identification());
        assertEquals(computed, Icrc.read(frame, HEADERS + length), "ICRC of frame " + number);
        return udp.targetPort();
    }

    private static long mapped(int address) {
        return 0xffffL << 32 | (address & 0xffff_ffffL);
    }

    private static String run(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), command::toString);
        return out;
    }
}
