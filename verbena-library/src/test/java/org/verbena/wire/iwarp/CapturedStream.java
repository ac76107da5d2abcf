package org.verbena.wire.iwarp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.verbena.wire.ip.Ethernet;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.ip.Tcp;
import org.verbena.wire.pcap.PcapReader;

/**
 * One direction of a TCP connection that Linux made: its bytes in order, put together from the segments of a capture.
 *
 * @param initiator whether the side that opened the connection sends these bytes
 * @param memory the stream from its first byte
 * @param pieces the segments that brought bytes not seen before, in the order of the capture
 */
public record CapturedStream(
        String capture, int sourcePort, int targetPort, boolean initiator, MemorySegment memory, List<Piece> pieces) {
    /**
     * A TCP segment.
     *
     * @param frame its number in the capture, from 1
     */
    public record Piece(int frame, int at, int length) {}

    /** A copy of the bytes. */
    public byte[] bytes() {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    /** The names of all captures of iWARP, without the ending. */
    public static List<String> captures() {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> Objects.requireNonNull(file.getFileName()).toString())
                    .filter(name -> name.matches("siw_.*\\.pcap"))
                    .map(name -> name.replace(".pcap", ""))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Path file(String capture) {
        return directory().resolve(capture + ".pcap");
    }

    private static Path directory() {
        try {
            URL readme = Objects.requireNonNull(CapturedStream.class.getResource("/vectors/README.md"));
            return Objects.requireNonNull(Path.of(readme.toURI()).getParent());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** All streams of a capture, in the order in which they began: of each connection first the initiator's. */
    public static List<CapturedStream> of(String capture) {
        Map<Integer, Assembly> assemblies = new LinkedHashMap<>();
        PcapReader reader = new PcapReader(MemorySegment.ofArray(bytesOf(file(capture))));
        for (int number = 1; reader.next(); number++) {
            MemorySegment frame = reader.frame();
            if (Ethernet.read(frame, 0).type() != Ethernet.IPV4) {
                continue;
            }
            Ipv4 ip = Ipv4.read(frame, Ethernet.LENGTH);
            if (ip.protocol() == Tcp.PROTOCOL) {
                add(assemblies, number, frame, ip);
            }
        }
        return assemblies.values().stream()
                .map(assembly -> assembly.stream(capture))
                .toList();
    }

    private static void add(Map<Integer, Assembly> assemblies, int number, MemorySegment frame, Ipv4 ip) {
        int at = Ethernet.LENGTH + Ipv4.headerLength(frame, Ethernet.LENGTH);
        Tcp tcp = Tcp.read(frame, at);
        int key = tcp.sourcePort() << 16 | tcp.targetPort();
        if (tcp.has(Tcp.SYN)) {
            assemblies.putIfAbsent(key, new Assembly(tcp));
        }
        int dataAt = at + Tcp.headerLength(frame, at);
        int length = Ethernet.LENGTH + ip.totalLength() - dataAt;
        Assembly assembly = assemblies.get(key);
        if (assembly != null && length > 0) {
            byte[] data = frame.asSlice(dataAt, length).toArray(ValueLayout.JAVA_BYTE);
            assembly.add(number, tcp.sequence(), data);
        }
    }

    private static byte[] bytesOf(Path capture) {
        try {
            return Files.readAllBytes(capture);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts one stream together. The captures lack no segment and have none out of order; this is checked. */
    private static final class Assembly {
        private final Tcp first;
        private byte[] bytes = new byte[0];
        private final List<Piece> pieces = new ArrayList<>();

        Assembly(Tcp first) {
            this.first = first;
        }

        void add(int frame, int sequence, byte[] data) {
            int at = sequence - first.sequence() - 1;
            if (at > bytes.length) {
                throw new AssertionError("frame " + frame + " leaves a gap");
            }
            int known = bytes.length - at;
            if (data.length > known) {
                pieces.add(new Piece(frame, bytes.length, data.length - known));
                byte[] longer = Arrays.copyOf(bytes, at + data.length);
                System.arraycopy(data, 0, longer, at, data.length);
                bytes = longer;
            }
        }

        CapturedStream stream(String capture) {
            return new CapturedStream(
                    capture,
                    first.sourcePort(),
                    first.targetPort(),
                    !first.has(Tcp.ACK),
                    MemorySegment.ofArray(bytes),
                    pieces);
        }
    }
}
