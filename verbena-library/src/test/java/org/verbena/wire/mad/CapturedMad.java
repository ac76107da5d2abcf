package org.verbena.wire.mad;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.verbena.wire.RoceFrame;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ip.Ipv4;
import org.verbena.wire.pcap.PcapReader;

/**
 * A management datagram that Linux sent.
 *
 * @param number of its frame in the capture, from 1
 * @param source IPv4 address it came from
 * @param target IPv4 address it went to
 * @param mad its 256 bytes
 */
public record CapturedMad(String capture, int number, int source, int target, MemorySegment mad) {
    /** The names of all captures of RoCEv2, without the ending. */
    public static List<String> captures() {
        try (Stream<Path> files = Files.list(directory())) {
            return files.map(file -> Objects.requireNonNull(file.getFileName()).toString())
                    .filter(name -> name.startsWith("rxe_") && name.endsWith(".pcap"))
                    .map(name -> name.replace(".pcap", ""))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path file(String capture) {
        return directory().resolve(capture + ".pcap");
    }

    private static Path directory() {
        try {
            URL readme = Objects.requireNonNull(CapturedMad.class.getResource("/vectors/README.md"));
            return Objects.requireNonNull(Path.of(readme.toURI()).getParent());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** All datagrams of a capture, in order. */
    public static List<CapturedMad> of(String capture) {
        var found = new ArrayList<CapturedMad>();
        PcapReader reader = new PcapReader(MemorySegment.ofArray(bytesOf(file(capture))));
        for (int number = 1; reader.next(); number++) {
            MemorySegment frame = reader.frame();
            RoceFrame headers = RoceFrame.read(frame);
            if (headers != null && Bth.destinationQueuePair(frame, headers.packetAt()) == Mad.QUEUE_PAIR) {
                Ipv4 ip = Objects.requireNonNull(headers.ipv4());
                byte[] mad = frame.asSlice(headers.packetAt() + Bth.LENGTH + Deth.LENGTH, Mad.LENGTH)
                        .toArray(ValueLayout.JAVA_BYTE);
                found.add(new CapturedMad(capture, number, ip.source(), ip.target(), MemorySegment.ofArray(mad)));
            }
        }
        return found;
    }

    private static byte[] bytesOf(Path capture) {
        try {
            return Files.readAllBytes(capture);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Mad header() {
        return Mad.read(mad, 0);
    }

    public CmMessage message() {
        return Objects.requireNonNull(CmMessage.read(mad, 0), () -> capture + " frame " + number + " is none of CM");
    }
}
