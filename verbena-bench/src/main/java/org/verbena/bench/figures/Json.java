package org.verbena.bench.figures;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds single numbers in the JSON of programs whose output is known; not a reader of JSON. */
final class Json {
    private static final String NUMBER = "\\s*:\\s*(-?[0-9][0-9.eE+-]*)";

    private Json() {}

    /** The first number under {@code field}. */
    static double number(String json, String field) {
        return find(json, "\"" + Pattern.quote(field) + "\"" + NUMBER, field);
    }

    /** The first number under {@code field} behind the first object under {@code object}. */
    static double number(String json, String object, String field) {
        String pattern = "\"" + Pattern.quote(object) + "\"\\s*:\\s*\\{[^}]*?\"" + Pattern.quote(field) + "\"" + NUMBER;
        return find(json, pattern, object + "." + field);
    }

    private static double find(String json, String pattern, String what) {
        Matcher matcher = Pattern.compile(pattern).matcher(json);
        if (!matcher.find()) {
            throw new MeasurementException("no number " + what + " in: " + Program.Running.shortened(json));
        }
        return Double.parseDouble(matcher.group(1));
    }
}
