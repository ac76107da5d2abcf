package org.verbena.fabric.topology;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a net file.
 *
 * @param file name of the file
 * @param number from 1 on
 * @param text without the line's end
 */
record NetLine(String file, int number, String text) {
    private static final Pattern NUMBER = Pattern.compile("\\s*(0[xX][0-9a-fA-F]+|[0-9]+)(?![0-9a-zA-Z])");
    private static final int SHOWN = 80;

    boolean startsWith(char first) {
        return !text.isEmpty() && text.charAt(0) == first;
    }

    /** The line's word: letters at its start; empty if there is none. */
    String word() {
        int end = 0;
        while (end < text.length() && Character.isLetter(text.charAt(end))) {
            end++;
        }
        return text.substring(0, end);
    }

    /** The number behind the first {@code =}. Text behind the number does not count. */
    long value() {
        return value('=');
    }

    /** The number behind the first of these signs. */
    long value(char sign) {
        int at = text.indexOf(sign);
        if (at < 0) {
            throw error("'" + sign + "' and a number expected");
        }
        Matcher number = NUMBER.matcher(text).region(at + 1, text.length());
        if (!number.lookingAt()) {
            throw error("a number behind '" + sign + "' expected");
        }
        return number(number.group(1));
    }

    /** The number behind the first {@code =}, checked. */
    int value(String what, int least, int most) {
        long value = value();
        requireRange(what, value, least, most);
        return (int) value;
    }

    void requireRange(String what, long value, int least, int most) {
        if (value < least || value > most) {
            throw error(what + " " + value + " found, " + least + " … " + most + " expected");
        }
    }

    /** A number in decimal digits or, behind 0x, in hexadecimal ones; 64 bits. */
    long number(String digits) {
        boolean hex = digits.startsWith("0x") || digits.startsWith("0X");
        try {
            return hex ? Long.parseUnsignedLong(digits, 2, digits.length(), 16) : Long.parseUnsignedLong(digits);
        } catch (NumberFormatException e) {
            throw error("number " + digits + " found, one of at most 64 bits expected");
        }
    }

    /** The text between the first two quotation marks. */
    String quoted() {
        int open = text.indexOf('"');
        int close = text.indexOf('"', open + 1);
        if (open < 0 || close < 0) {
            throw error("a text between quotation marks expected");
        }
        return text.substring(open + 1, close);
    }

    TopologyException error(String message) {
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
        return new TopologyException(file, number, message + ": " + shown.strip());
    }

    /** Adds file and line to an error of the model. */
    TopologyException error(TopologyException fault) {
        return fault.line().isPresent() ? fault : error(String.valueOf(fault.getMessage()));
    }
}
