package org.verbena.wire.subnet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.verbena.wire.BigEndian;
import org.verbena.wire.mad.Mad;

/**
 * A datagram that OpenSM and ibsim exchanged over a net of two switches: a line of a file in vectors/subnets.
 *
 * @param isFromClient whether a client of ibsim sent it; else ibsim did
 * @param client number of that client
 * @param path ports of the initial path without entry 0
 * @param data hexadecimal, from the attribute on; of the subnet administration from the header's end on
 */
public record GoldenMad(
        int sequence,
        boolean isFromClient,
        int client,
        int managementClass,
        int method,
        int attribute,
        int modifier,
        int status,
        long transaction,
        int targetLid,
        int sourceLid,
        List<Integer> path,
        String data) {
    private static final int ADMINISTRATION = 3;
    private static final int VERSION_2 = 2;

    /** All datagrams of a file: minhop, qos or mcast. */
    public static List<GoldenMad> read(String name) {
        String resource = "/vectors/subnets/mads." + name + ".txt";
        try (InputStream in = Objects.requireNonNull(GoldenMad.class.getResourceAsStream(resource), resource);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(GoldenMad::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GoldenMad parse(String line) {
        String[] words = line.split(" ", -1);
        return new GoldenMad(
                Integer.parseInt(words[0]),
                words[1].equals(">"),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3], 16),
                Integer.parseInt(words[4], 16),
                Integer.parseInt(words[5], 16),
                Integer.parseUnsignedInt(words[6], 16),
                Integer.parseInt(words[7], 16),
                Long.parseUnsignedLong(words[9], 16),
                Integer.parseInt(words[10]),
                Integer.parseInt(words[11]),
                parsePath(words[12], Integer.parseInt(words[8])),
                words[13]);
    }

    private static List<Integer> parsePath(String path, int hops) {
        return hops == 0
                ? List.of()
                : List.of(path.split("\\.")).stream().map(Integer::valueOf).toList();
    }

    public boolean isSmp() {
        return managementClass == Smp.CLASS_LID_ROUTED || managementClass == Smp.CLASS_DIRECTED;
    }

    public boolean isRequest() {
        return (method & Smp.RESPONSE_BIT) == 0;
    }

    /** Its 256 bytes, as far as the file has them. */
    public MemorySegment segment() {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        BigEndian.writeByte(mad, 0, Mad.BASE_VERSION);
        BigEndian.writeByte(mad, 1, managementClass);
        BigEndian.writeByte(mad, 2, managementClass == ADMINISTRATION ? VERSION_2 : Smp.VERSION);
        BigEndian.writeByte(mad, 3, method);
        BigEndian.writeShort(mad, 4, status);
        BigEndian.writeByte(mad, 7, path.size());
        BigEndian.writeLong(mad, 8, transaction);
        BigEndian.writeShort(mad, 16, attribute);
        BigEndian.writeInt(mad, 20, modifier);
        if (managementClass == Smp.CLASS_DIRECTED) {
            BigEndian.writeInt(mad, 32, -1);
            for (int hop = 1; hop <= path.size(); hop++) {
                BigEndian.writeByte(mad, 128 + hop, path.get(hop - 1));
            }
        }
        byte[] bytes = HexFormat.of().parseHex(data);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, mad, isSmp() ? Smp.DATA : Mad.HEADER_LENGTH, bytes.length);
        return mad;
    }

    @Override
    public String toString() {
        return "%d %s class %02x method %02x attribute %04x modifier %08x path %s"
                .formatted(
                        sequence,
                        isFromClient ? "request" : "reply",
                        managementClass,
                        method,
                        attribute,
                        modifier,
                        path);
    }
}
