package org.verbena.fabric.topology;

import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;

/**
 * A port line of a net file, taken apart: {@code [1](2c90300000011) "sw1"[4] w=3 # lid 7 lmc 0 "description" lid 2 4xEDR}.
 *
 * @param alias whether the line gives the port another name, {@code @[1] "name"}, and names no other port
 * @param remote the name between the quotation marks
 * @param remotePort 0 if the line has none
 */
record NetPortLine(
        NetLine line,
        boolean alias,
        int port,
        OptionalLong guid,
        String remote,
        int remotePort,
        PortLids lids,
        Rates rates,
        OptionalInt lengthCm) {
    private static final Pattern SHAPE = Pattern.compile(
            "@?\\[\\s*(?<port>\\d{1,9})\\s*](?<middle>[^\"]*)\"(?<remote>[^\"]*)\"(\\s*\\[\\s*(?<end>\\d{1,9})\\s*])?(?<rest>.*)");
    private static final Pattern GUID = Pattern.compile("\\((?:0x)?([0-9a-fA-F]{1,16})\\)");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w])([a-z])=(\\w+)");
    private static final Pattern LID = Pattern.compile("\\blid\\s+(\\w+)");
    private static final Pattern LMC = Pattern.compile("\\blmc\\s+(\\w+)");
    private static final Pattern RATE = Pattern.compile("\\blid\\s+\\w+\\s+(\\d+)x(\\S+)");

    /** Masks by the letters w, s, e and f, where the line has them, and the text such as {@code 4xEDR}. */
    record Rates(
            OptionalInt widths,
            OptionalInt speeds,
            OptionalInt extended,
            boolean fdr10,
            Optional<LinkWidth> width,
            Optional<LinkSpeed> speed) {
        /** The rates of a port that had others before its line. The text wins over the letters. */
        PortRates over(PortRates before) {
            PortRates masks = PortRates.enabled(
                    widths.orElse(before.widthEnabled()),
                    speeds.orElse(before.speedEnabled()),
                    extended.orElse(before.extendedEnabled()),
                    fdr10 || before.fdr10());
            return width.isPresent() && speed.isPresent() ? masks.with(width.get(), speed.get()) : masks;
        }
    }

    static NetPortLine read(NetLine line) {
        Matcher shape = SHAPE.matcher(line.text());
        if (!shape.matches()) {
            throw line.error("a port line such as [1] \"name\"[2] expected");
        }
        String middle = shape.group("middle");
        String rest = shape.group("rest");
        String own = between(rest, '#', '"');
        String tail = rest.substring(rest.lastIndexOf('"') + 1);
        int comment = rest.indexOf('#');
        String options = comment < 0 ? rest : rest.substring(0, comment) + " " + tail;
        Matcher guid = GUID.matcher(middle);
        return new NetPortLine(
                line,
                line.startsWith('@'),
                Integer.parseInt(shape.group("port")),
                guid.find() ? OptionalLong.of(HexFormat.fromHexDigitsToLong(guid.group(1))) : OptionalLong.empty(),
                shape.group("remote"),
                shape.group("end") == null ? 0 : requirePositive(line, Integer.parseInt(shape.group("end"))),
                lids(line, rest.indexOf('"') < 0 && !own.contains("lmc") ? "" : own),
                rates(line, options, tail),
                option(line, options, 'l', 0, Cable.MAX_CM));
    }

    /** The same line with the full name of the other end: names without a module are those of the line's. */
    NetPortLine in(NetDefaults defaults) {
        if (alias) {
            return this;
        }
        String full = remote.startsWith("@") ? defaults.module + remote : defaults.inModule(remote);
        return new NetPortLine(line, false, port, guid, full, remotePort, lids, rates, lengthCm);
    }

    private static int requirePositive(NetLine line, int port) {
        if (port == 0) {
            throw line.error("port 0 at the other end found, 1 … " + TopologyNode.PORTS_MAX + " expected");
        }
        return port;
    }

    /** The text behind the first {@code open} up to the next {@code close}. */
    private static String between(String text, char open, char close) {
        int from = text.indexOf(open);
        if (from < 0) {
            return "";
        }
        int to = text.indexOf(close, from);
        return text.substring(from + 1, to < 0 ? text.length() : to);
    }

    /** The local identifiers in a text such as {@code lid 7 lmc 0}. */
    static PortLids lids(NetLine line, String text) {
        return lidsOf(line, number(line, LID, text), number(line, LMC, text));
    }

    private static PortLids lidsOf(NetLine line, long lid, long lmc) {
        line.requireRange("lid", lid, 0, 0xffff);
        line.requireRange("lmc", lmc, 0, 7);
        return new PortLids((int) lid, (int) lmc);
    }

    private static long number(NetLine line, Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? line.number(found.group(1)) : 0;
    }

    private static Rates rates(NetLine line, String options, String tail) {
        Matcher rate = RATE.matcher(tail);
        boolean found = rate.find();
        OptionalInt speeds = option(line, options, 's', 0, PortRates.SPEEDS);
        return new Rates(
                option(line, options, 'w', 1, PortRates.WIDTHS),
                // Newer versions of ibsim take 0 for QDR.
                speeds.isPresent() && speeds.getAsInt() == 0 ? OptionalInt.of(LinkSpeed.QDR.bit()) : speeds,
                option(line, options, 'e', 0, PortRates.EXTENDED_SPEEDS),
                option(line, options, 'f', 0, 1).orElse(0) == 1,
                found ? Optional.of(width(line, rate.group(1))) : Optional.empty(),
                found ? Optional.of(speed(line, rate.group(2))) : Optional.empty());
    }

    private static LinkWidth width(NetLine line, String lanes) {
        for (LinkWidth width : LinkWidth.values()) {
            if (lanes.equals(Integer.toString(width.lanes()))) {
                return width;
            }
        }
        throw line.error("width " + lanes + "x found, 1x, 2x, 4x, 8x or 12x expected");
    }

    private static LinkSpeed speed(NetLine line, String name) {
        for (LinkSpeed speed : LinkSpeed.values()) {
            if (name.equals(speed.name())) {
                return speed;
            }
        }
        throw line.error("speed " + name + " found, SDR, DDR, QDR, FDR10, FDR, EDR, HDR or NDR expected");
    }

    /** The number behind a letter and {@code =}. Letters that mean nothing here are left alone, as ibsim does. */
    private static OptionalInt option(NetLine line, String options, char letter, int least, int most) {
        Matcher option = OPTION.matcher(options);
        while (option.find()) {
            if (option.group(1).charAt(0) == letter) {
                return OptionalInt.of(checked(line, letter, option.group(2), least, most));
            }
        }
        return OptionalInt.empty();
    }

    private static int checked(NetLine line, char letter, String digits, int least, int most) {
        if (!digits.toLowerCase(Locale.ROOT).matches("\\d+|0x[0-9a-f]+")) {
            throw line.error(letter + "=" + digits + " found, a number expected");
        }
        long value = line.number(digits.toLowerCase(Locale.ROOT));
        line.requireRange(letter + "=", value, least, most);
        return (int) value;
    }
}
