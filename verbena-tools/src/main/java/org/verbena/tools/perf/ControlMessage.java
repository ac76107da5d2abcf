package org.verbena.tools.perf;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.verbena.tools.console.ToolException;

/**
 * One line between the two processes of a measurement: a word, then {@code name=value} pairs, values URL-encoded.
 *
 * @param word the kind of message
 * @param fields its values by name, in order
 */
record ControlMessage(String word, Map<String, String> fields) {
    private static final int FIELDS_MAX = 32;

    ControlMessage(String word) {
        this(word, Map.of());
    }

    static ControlMessage of(String word, String name, Object value) {
        return new ControlMessage(word, Map.of(name, String.valueOf(value)));
    }

    /** @throws ToolException if the line has not this form */
    static ControlMessage parse(String line) {
        String[] parts = line.split(" ", FIELDS_MAX + 2);
        if (!parts[0].matches("[a-z-]{1,32}") || parts.length > FIELDS_MAX + 1) {
            throw malformed(line);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1) {
                throw malformed(line);
            }
            fields.put(parts[i].substring(0, equals), decode(parts[i].substring(equals + 1), line));
        }
        return new ControlMessage(parts[0], fields);
    }

    private static String decode(String value, String line) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw malformed(line);
        }
    }

    private static ToolException malformed(String line) {
        String shown = line.length() > 60 ? line.substring(0, 60) + "..." : line;
        return new ToolException("\"" + shown.replaceAll("\\p{Cntrl}", "?")
                + "\" found on the control connection, a message of verbena perf expected");
    }

    String encode() {
        StringBuilder line = new StringBuilder(word);
        fields.forEach((name, value) ->
                line.append(' ').append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return line.toString();
    }

    /** The value of a field that must be there. */
    String text(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new ToolException(
                    "control message \"" + word + "\" without " + name + " found, one with it expected");
        }
        return value;
    }

    /** The value of a field that must be there and be a whole number within bounds. */
    long number(String name, long least, long most) {
        long value;
        try {
            value = Long.parseLong(text(name));
        } catch (NumberFormatException e) {
            throw new ToolException("control message \"" + word + "\": " + name + " \"" + text(name)
                    + "\" found, a whole number expected");
        }
        if (value < least || value > most) {
            throw new ToolException("control message \"" + word + "\": " + name + " " + value + " found, " + least
                    + " to " + most + " expected");
        }
        return value;
    }

    double decimal(String name) {
        try {
            return Double.parseDouble(text(name));
        } catch (NumberFormatException e) {
            throw new ToolException(
                    "control message \"" + word + "\": " + name + " \"" + text(name) + "\" found, a number expected");
        }
    }
}
