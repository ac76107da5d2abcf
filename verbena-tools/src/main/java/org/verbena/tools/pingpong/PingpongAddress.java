package org.verbena.tools.pingpong;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.verbena.link.Endpoint;
import org.verbena.tools.console.Figures;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.QueuePairAddress;

/**
 * Where one end is, as the two tell each other: {@code LID:QPN:PSN:GID} in hexadecimal. RoCEv2 has no LIDs and its port is
 * known; an end of ours at another UDP port says it where the LID stands.
 */
record PingpongAddress(int lid, int number, int psn, long gidHigh, long gidLow) {
    /** Bytes on the TCP connection, the zero at their end included. */
    static final int LENGTH = 52;

    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{4}):([0-9a-f]{6}):([0-9a-f]{6}):([0-9a-f]{16})([0-9a-f]{16})");

    static PingpongAddress of(QueuePairAddress address) {
        Endpoint endpoint = address.endpoint();
        return new PingpongAddress(
                endpoint.port() == Endpoint.ROCE_PORT ? 0 : endpoint.port(),
                address.number(),
                address.firstPsn(),
                endpoint.high(),
                endpoint.low());
    }

    /** @throws ToolException if it is no such text */
    static PingpongAddress parse(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            // Text of a peer: control characters must not reach the terminal.
            String shown = text.replaceAll("[^ -~]", "?");
            throw new ToolException("\"" + shown + "\" found, an address of a ping-pong expected, LID:QPN:PSN:GID");
        }
        return new PingpongAddress(
                Integer.parseInt(form.group(1), 16),
                Integer.parseInt(form.group(2), 16),
                Integer.parseInt(form.group(3), 16),
                Long.parseUnsignedLong(form.group(4), 16),
                Long.parseUnsignedLong(form.group(5), 16));
    }

    String encode() {
        return Figures.format("%04x:%06x:%06x:%016x%016x", lid, number, psn, gidHigh, gidLow);
    }

    /** @throws ToolException if the end told no GID */
    QueuePairAddress queuePair() {
        if (gidHigh == 0 && gidLow == 0) {
            throw new ToolException("the peer told no GID: start it with '-g INDEX' of its GID for RoCEv2");
        }
        int port = lid == 0 ? Endpoint.ROCE_PORT : lid;
        return new QueuePairAddress(Endpoint.of(gidHigh, gidLow, port), number, psn);
    }

    /** As rdma-core prints it. */
    @Override
    public String toString() {
        return Figures.format("LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, number, psn, gid());
    }

    private String gid() {
        Endpoint endpoint = Endpoint.of(gidHigh, gidLow, 0);
        return endpoint.ipv6() ? shortened() : "::ffff:" + endpoint.address().getHostAddress();
    }

    /** RFC 5952: the longest run of two or more zero groups, the first of equals, becomes two colons. */
    private String shortened() {
        ByteBuffer bytes = ByteBuffer.allocate(16).putLong(0, gidHigh).putLong(8, gidLow);
        int best = 0;
        int bestLength = 1;
        for (int from = 0; from < 8; from++) {
            int to = from;
            while (to < 8 && bytes.getShort(2 * to) == 0) {
                to++;
            }
            if (to - from > bestLength) {
                best = from;
                bestLength = to - from;
            }
        }
        return bestLength < 2
                ? groups(bytes, 0, 8)
                : groups(bytes, 0, best) + "::" + groups(bytes, best + bestLength, 8);
    }

    private static String groups(ByteBuffer bytes, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int group = from; group < to; group++) {
            text.append(text.isEmpty() ? "" : ":").append(Integer.toHexString(bytes.getShort(2 * group) & 0xffff));
        }
        return text.toString();
    }
}
